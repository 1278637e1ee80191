import { setTimeout as pause } from 'node:timers/promises';
import { AssertionError } from 'chai';
import { HANG_MS } from './full.js';
import { timed } from './times.js';
import { waitFor } from './waiting-for.js';

const SOONEST_MS = 5;
const LATEST_MS = 50;
/** Of the time that has passed: who waits long looks seldom. */
const SHARE = 0.2;

/** Never for a time; `withinMs` only where a test is about the time. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = HANG_MS,
): Promise<void> {
  const started = performance.now();
  await waitFor(what, () =>
    timed('waits', async () => {
      while (!(await holds())) {
        const passed = performance.now() - started;
        if (passed > withinMs) {
          throw new AssertionError(
            `${what} did not come to be within ${withinMs} ms`,
          );
        }
        await pause(Math.min(LATEST_MS, Math.max(SOONEST_MS, SHARE * passed)));
      }
    }),
  );
}
