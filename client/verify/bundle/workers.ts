import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { TileReport } from './check-tile.js';
import { checkTileIn } from './check-tile-in.js';
import type { Piece } from './layout.js';
import type { WorkerData } from './worker.js';

export type Threads = {
  /** How many; by default one for each core. */
  threads?: number;
  /** The module they run; null checks in the calling thread. */
  worker?: URL | null;
};

/** How far the threads may run ahead of what is taken, in tiles each. */
const AHEAD = 8;
/** Starting threads costs more than checking so few tiles. */
const FEW = 4;

/** Beside this file once compiled; Node loads no TypeScript in a thread. */
const WORKER = import.meta.url.endsWith('.js')
  ? new URL('./worker.js', import.meta.url)
  : null;

/**
 * Checks tiles on all cores and gives the reports in order.
 * @throws what a thread threw.
 */
export async function* checkTiles(
  pieces: readonly Piece[],
  data: WorkerData,
  { threads = availableParallelism(), worker = WORKER }: Threads,
): AsyncGenerator<TileReport, void, void> {
  if (worker === null || threads === 1 || pieces.length <= FEW) {
    for (const piece of pieces) {
      yield checkTileIn(data.folder, piece, data.known);
      await setImmediate(); // so that progress can be drawn
    }
    return;
  }
  yield* inThreads(pieces, data, Math.min(threads, pieces.length), worker);
}

async function* inThreads(
  pieces: readonly Piece[],
  workerData: WorkerData,
  count: number,
  worker: URL,
): AsyncGenerator<TileReport, void, void> {
  const done = new Map<number, TileReport>();
  let failed: { error: unknown } | null = null;
  let wake = () => {};
  let next = 0;
  let taken = 0;
  const idle = Array.from({ length: count }, () => {
    const thread = new Worker(worker, { workerData });
    thread.on('message', (report: TileReport) => {
      done.set(report.n, report);
      idle.push(thread);
      feed();
      wake();
    });
    thread.on('error', (error) => {
      failed = { error };
      wake();
    });
    return thread;
  });
  const all = [...idle];
  function feed(): void {
    while (idle.length > 0 && next < taken + count * AHEAD) {
      const piece = pieces[next];
      if (piece === undefined) return;
      idle.pop()?.postMessage(piece);
      next += 1;
    }
  }
  const report = async (): Promise<TileReport> => {
    for (;;) {
      if (failed !== null) throw failed.error;
      const found = done.get(taken);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  try {
    for (; taken < pieces.length; taken += 1) {
      feed();
      const found = await report();
      done.delete(taken);
      yield found;
    }
  } finally {
    await Promise.all(all.map((thread) => thread.terminate()));
  }
}
