import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { TileReport } from './check-tile.js';
import type { Piece } from './layout.js';
import type { WorkerData } from './worker.js';

/** How far the fastest worker may run ahead of the walk in order. */
const AHEAD = 8;

/** The worker beside this file: compiled, or the source it came from. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
);

/**
 * Checks tiles on all cores and gives the reports in order.
 * @throws what a worker threw.
 */
export async function* checkTiles(
  pieces: readonly Piece[],
  data: WorkerData,
  threads = availableParallelism(),
): AsyncGenerator<TileReport, void, void> {
  const count = Math.min(threads, pieces.length);
  const done = new Map<number, TileReport>();
  const idle: Worker[] = [];
  let next = 0;
  let given = 0;
  let wake = () => {};
  let failure: unknown = null;
  const feed = () => {
    while (next < pieces.length && next < given + count * AHEAD) {
      const piece = pieces[next];
      const worker = piece && idle.pop();
      if (worker === undefined) return;
      worker.postMessage(piece);
      next += 1;
    }
  };
  const workers = Array.from({ length: count }, () => {
    const worker = new Worker(WORKER, { workerData: data });
    worker.on('message', (report: TileReport) => {
      done.set(report.n, report);
      idle.push(worker);
      feed();
      wake();
    });
    worker.on('error', (error) => {
      failure = error;
      wake();
    });
    idle.push(worker);
    return worker;
  });
  try {
    feed();
    while (given < pieces.length) {
      if (failure !== null) throw failure;
      const report = done.get(given);
      if (report === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      done.delete(given);
      given += 1;
      feed();
      yield report;
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
