import { createTask, type ScheduledTask } from 'node-cron';

/** What is called at the times of a cron line, in UTC. */
export type Timer = { start(): Promise<void>; stop(): Promise<void> };

/**
 * Calls `work` at the times of a cron line with seconds. The only place that
 * knows of the cron library: what runs, and whether, is decided elsewhere.
 */
export function timer(
  name: string,
  line: string,
  work: () => Promise<unknown>,
): Timer {
  const task: ScheduledTask = createTask(line, work, {
    name,
    timezone: 'UTC',
    noOverlap: true,
    suppressMissedWarning: true,
    unref: true,
  });
  return {
    start: async () => {
      await task.start();
    },
    stop: async () => {
      await task.destroy();
    },
  };
}
