import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../context.js';
import { BoardError } from '../../errors.js';

/** Longer than a check takes, its hash included, on a node at rest. */
export const REFUSAL_MS = 1000;

/**
 * Checks a passphrase and its code. A refusal is answered a whole number of
 * `refusalMs` after the question, so that its time does not tell whether the
 * code was right and the passphrase was hashed. A board that stops waits for
 * none of them.
 */
export async function refuseLate<T>(
  { refusalMs, stopping }: Pick<Context, 'refusalMs' | 'stopping'>,
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
