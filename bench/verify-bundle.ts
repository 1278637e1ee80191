// How much longer checking a bundle takes than its bare signatures and hashes.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { writeBundle } from '../client/export/write-bundle.js';
import { bundleLine } from '../client/verify/bundle/bundle-line.js';
import { verifyBundle } from '../client/verify/bundle/verify-bundle.js';
import { readPins } from '../client/verify/verify.js';
import {
  LOG_VKEY,
  logOf,
  signedEntries,
} from '../test/client/support/signed-log.js';
import { threadOf } from '../test/client/support/thread-of.js';
import { bareMessages, cpuSeconds, median } from './bare-messages.js';
import type { BareMessage } from './bare-work.js';

const COUNT = Number(process.argv[2] ?? 100_000);
const RUNS = Number(process.env.BENCH_RUNS ?? 3);
const COMPILED = import.meta.url.endsWith('.js');
const WORKER = '../client/verify/bundle/worker.ts';
const threads = availableParallelism();

async function bareSeconds(messages: BareMessage[]): Promise<number> {
  const file = COMPILED
    ? new URL('./bare-work.js', import.meta.url)
    : threadOf(new URL('./bare-work.ts', import.meta.url));
  const share = Math.ceil(messages.length / threads);
  const workers = Array.from({ length: threads }, (_, n) => {
    const workerData = messages.slice(n * share, (n + 1) * share);
    return new Worker(file, { workerData });
  });
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const begun = performance.now();
  const done = workers.map((worker) => once(worker, 'message'));
  for (const worker of workers) worker.postMessage('go');
  const good = (await Promise.all(done)).flat().reduce((a, b) => a + b, 0);
  if (good !== messages.length) throw new Error('a signature is bad');
  const seconds = (performance.now() - begun) / 1000;
  await Promise.all(workers.map((worker) => worker.terminate()));
  return seconds;
}

const entries = signedEntries(COUNT);
const folder = await mkdtemp(path.join(tmpdir(), 'bundle-bench-'));
try {
  const begun = performance.now();
  const walls: number[] = [];
  const cpus: number[] = [];
  await writeBundle(folder, logOf(entries));
  const written = (performance.now() - begun) / 1000;
  const pins = readPins([LOG_VKEY]);
  if (!pins.ok) throw new Error('no pin');
  const bare = bareMessages(entries);
  for (let run = 1; run <= RUNS; run += 1) {
    const usedBefore = process.cpuUsage();
    const least = await bareSeconds(bare);
    const usedBare = cpuSeconds(usedBefore);
    const cpu = process.cpuUsage();
    const start = performance.now();
    const verdict = await verifyBundle(folder, {
      pins: pins.value,
      ...(COMPILED
        ? {}
        : { worker: threadOf(new URL(WORKER, import.meta.url)) }),
    });
    const seconds = (performance.now() - start) / 1000;
    const used = cpuSeconds(cpu);
    walls.push(seconds / least);
    cpus.push(used / usedBare);
    if (run === 1) console.log(bundleLine(verdict));
    console.log(
      `run ${run}: ${COUNT} messages, ${threads} threads: bare ${least.toFixed(2)} s, verify ${seconds.toFixed(2)} s, ratio ${(seconds / least).toFixed(2)}; CPU ${usedBare.toFixed(2)} s, ${used.toFixed(2)} s, ratio ${(used / usedBare).toFixed(2)}`,
    );
  }
  console.log(
    `median ratio ${median(walls).toFixed(2)}, of CPU ${median(cpus).toFixed(2)}; written in ${written.toFixed(2)} s`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
