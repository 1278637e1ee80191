import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { cpuSeconds } from './bare-messages.js';
import type { BareMessage, BareShare } from './bare-work.js';

export const COMPILED = import.meta.url.endsWith('.js');

/** Seconds by the wall, and of all processors. */
export type Seconds = { wall: number; cpu: number };

/** Threads that do the bare work of these messages whenever they are told. */
export type BareThreads = {
  run(): Promise<Seconds>;
  stop(): Promise<void>;
};

export async function bareThreads(
  messages: readonly BareMessage[],
  threads: number,
  { hashes }: Pick<BareShare, 'hashes'>,
): Promise<BareThreads> {
  const file = COMPILED
    ? new URL('./bare-work.js', import.meta.url)
    : new URL('./bare-work.ts', import.meta.url);
  const share = Math.ceil(messages.length / threads);
  const workers = Array.from({ length: threads }, (_, n) => {
    const own = messages.slice(n * share, (n + 1) * share);
    const workerData: BareShare = { messages: own, hashes };
    return new Worker(file, { workerData });
  });
  const answers = () =>
    Promise.all(workers.map((worker) => once(worker, 'message')));
  await answers();
  return {
    run: async () => {
      const [begun, used] = [performance.now(), process.cpuUsage()];
      const done = answers();
      for (const worker of workers) worker.postMessage('go');
      const good = (await done).flat().reduce((a, b) => a + b, 0);
      if (good !== messages.length) throw new Error('a signature is bad');
      const wall = (performance.now() - begun) / 1000;
      return { wall, cpu: cpuSeconds(used) };
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
