import { setTimeout as wait } from 'node:timers/promises';
import { BoardError } from '../../errors.js';
import type { AdminContext } from '../command.js';

/** Longer than a check with its hash on an idle node. */
export const REFUSAL_MS = 1000;

/**
 * Answers a refusal after a multiple of `refusalMs`, so that its time does not
 * reveal whether the code was right. A stopping board does not wait.
 */
export async function refuseLate<T>(
  { refusalMs, stopping }: Pick<AdminContext, 'refusalMs' | 'stopping'>,
  check: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  try {
    return await check();
  } catch (error) {
    const refused =
      error instanceof BoardError && error.code === 'unauthorized';
    if (refused && refusalMs > 0 && !stopping.aborted) {
      const rest = refusalMs - ((performance.now() - begun) % refusalMs);
      await wait(rest, undefined, { signal: stopping }).catch(() => undefined);
    }
    throw error;
  }
}
