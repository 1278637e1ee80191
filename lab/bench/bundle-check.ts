import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { writeBundle } from '../../client/export/write-bundle.js';
import { bundleLine } from '../../client/verify/bundle/bundle-line.js';
import { verifyBundle } from '../../client/verify/bundle/verify-bundle.js';
import { readPins } from '../../client/verify/verify.js';
import {
  LOG_VKEY,
  logOf,
  signedEntries,
} from '../../test/client/support/signed-log.js';
import { bareMessages, cpuSeconds, median } from './bare-messages.js';
import { bareThreads, COMPILED, type Seconds } from './bare-threads.js';

const WORKER = new URL('../../client/verify/bundle/worker.ts', import.meta.url);

export type BundleRun = { bare: Seconds; check: Seconds };

export type BundleFigures = {
  messages: number;
  threads: number;
  runs: BundleRun[];
  /** Of the check to the bare work, the medians of all runs. */
  wallRatio: number;
  cpuRatio: number;
  /** What the check said. */
  line: string;
};

export type BundleOptions = {
  messages: number;
  runs: number;
  onRun?: (run: BundleRun, number: number) => void;
};

/**
 * How much longer checking a bundle takes than its bare signatures and
 * hashes, both on all cores. The bare work starts with its threads up and
 * their messages in memory; the check starts with nothing.
 * @throws Error where a bundle is found not to be whole.
 */
export async function measureBundle({
  messages,
  runs: count,
  onRun = () => {},
}: BundleOptions): Promise<BundleFigures> {
  const entries = signedEntries(messages);
  const threads = availableParallelism();
  const folder = await mkdtemp(path.join(tmpdir(), 'bundle-bench-'));
  const runs: BundleRun[] = [];
  let line = '';
  try {
    await writeBundle(folder, logOf(entries));
    const all = bareMessages(entries);
    for (let number = 1; number <= count; number += 1) {
      const least = await bareThreads(all, threads, { hashes: true });
      const bare = await least.run();
      await least.stop();
      const checked = await check(folder);
      line = checked.line;
      const run = { bare, check: checked.seconds };
      runs.push(run);
      onRun(run, number);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const ratio = (of: keyof Seconds) =>
    median(runs.map((run) => run.check[of] / run.bare[of]));
  const [wallRatio, cpuRatio] = [ratio('wall'), ratio('cpu')];
  return { messages, threads, runs, wallRatio, cpuRatio, line };
}

async function check(folder: string) {
  const pins = readPins([LOG_VKEY]);
  if (!pins.ok) throw new Error('no pin');
  const [begun, used] = [performance.now(), process.cpuUsage()];
  const verdict = await verifyBundle(folder, {
    pins: pins.value,
    ...(COMPILED ? {} : { worker: WORKER }),
  });
  const wall = (performance.now() - begun) / 1000;
  const seconds = { wall, cpu: cpuSeconds(used) };
  const line = bundleLine(verdict);
  if (verdict.faults.count > 0) throw new Error(line);
  return { seconds, line };
}
