import { createTask } from 'node-cron';

export type Timer = { start(): Promise<void>; stop(): Promise<void> };

/** The clock may be set meanwhile. */
const MAX_SLEEP_MS = 15_000;

/**
 * Calls `work` at the times of a cron line with seconds, one call at a time.
 * Only the line is read by the cron library: its timer walks through every
 * missed time (5.6 s after three days asleep, also with noOverlap) and sleeps
 * as long as a clock was set back. Here a missed time is one call.
 */
export function timer(
  name: string,
  line: string,
  work: () => Promise<unknown>,
): Timer {
  const task = createTask(line, async () => {}, { name, timezone: 'UTC' });
  let due = Number.POSITIVE_INFINITY;
  let sleep: NodeJS.Timeout | undefined;
  let busy = false;

  const rest = () => {
    busy = false;
  };
  const settle = () => {
    const [next] = task.getNextRuns(1);
    due = next?.getTime() ?? Number.POSITIVE_INFINITY;
    const wait = Math.min(Math.max(due - Date.now(), 0), MAX_SLEEP_MS);
    sleep = setTimeout(wake, wait).unref();
  };
  const wake = () => {
    const now = Date.now() >= due && !busy;
    settle();
    if (!now) return;
    busy = true;
    work().then(rest, rest);
  };

  return {
    start: async () => settle(),
    stop: async () => {
      clearTimeout(sleep);
      await task.destroy();
    },
  };
}
