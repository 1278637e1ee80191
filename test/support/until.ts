import { setTimeout as pause } from 'node:timers/promises';
import { AssertionError } from 'chai';
import { HANG_MS } from './full.js';
import { timed } from './times.js';

const LOOK_AGAIN_MS = 5;

/**
 * Waits for a state, never for a time. `withinMs` is named only where the time
 * itself is what a test is about.
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = HANG_MS,
): Promise<void> {
  const started = performance.now();
  await timed('waits', async () => {
    while (!(await holds())) {
      if (performance.now() - started > withinMs) {
        throw new AssertionError(
          `${what} did not come to be within ${withinMs} ms`,
        );
      }
      await pause(LOOK_AGAIN_MS);
    }
  });
}
