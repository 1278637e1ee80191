import type { Clock } from '../../server/clock.js';
import type { Subscription } from '../../server/db/events.js';

const LONGEST_MS = 3_600_000;

/**
 * At most an hour; `change` or the signal ends it early. Subscribe before
 * reading the database. Returns whether the time is over.
 */
export async function sleep(
  clock: Clock,
  ms: number,
  change: Subscription,
  signal: AbortSignal,
): Promise<boolean> {
  const stop = () => change.close();
  if (signal.aborted) stop();
  let over = false;
  const cancel = clock.after(Math.min(ms, LONGEST_MS), () => {
    over = true;
    stop();
  });
  signal.addEventListener('abort', stop, { once: true });
  await change.woken;
  cancel();
  signal.removeEventListener('abort', stop);
  return over;
}
