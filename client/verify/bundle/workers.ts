import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Known } from './check-post.js';
import type { TileReport } from './check-tile.js';
import { checkTileIn } from './check-tile-in.js';
import type { Piece } from './layout.js';
import type { Task } from './worker.js';

export type Threads = {
  /** How many; by default one for each core. */
  threads?: number;
  /** The module they run; null checks in the calling thread. */
  worker?: URL | null;
};

/** How far the threads may run ahead of what is taken, in tiles each. */
const AHEAD = 8;
/** Tiles given to a thread at a time: the next is there when one is done. */
const GIVEN = 2;
/** What a tile leaves dies young: room for it, so that little is moved. */
const ROOM = { maxYoungGenerationSizeMb: 64 };
/** Starting threads costs more than checking so few tiles. */
const FEW = 4;

/** Beside this file once compiled; Node loads no TypeScript in a thread. */
const WORKER = import.meta.url.endsWith('.js')
  ? new URL('./worker.js', import.meta.url)
  : null;

/**
 * Checks tiles on all cores and gives the reports in order. The threads get
 * up while `known` is still being found out.
 * @throws what a thread threw.
 */
export async function* checkTiles(
  folder: string,
  pieces: readonly Piece[],
  known: Promise<Known>,
  { threads = availableParallelism(), worker = WORKER }: Threads,
): AsyncGenerator<TileReport, void, void> {
  if (worker === null || threads === 1 || pieces.length <= FEW) {
    for (const piece of pieces) {
      yield checkTileIn(folder, piece, await known);
      await setImmediate(); // so that progress can be drawn
    }
    return;
  }
  const start = () =>
    new Worker(worker, { workerData: { folder }, resourceLimits: ROOM });
  const count = Math.min(threads, pieces.length);
  yield* inThreads(pieces, known, Array.from({ length: count }, start));
}

function send(thread: Worker | undefined, task: Task): void {
  thread?.postMessage(task);
}

async function* inThreads(
  pieces: readonly Piece[],
  known: Promise<Known>,
  threads: readonly Worker[],
): AsyncGenerator<TileReport, void, void> {
  const done = new Map<number, TileReport>();
  let failed: { error: unknown } | null = null;
  let wake = () => {};
  let next = 0;
  let taken = 0;
  const idle = Array.from({ length: GIVEN }, () => threads).flat();
  for (const thread of threads) {
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
  }
  function feed(): void {
    while (idle.length > 0 && next < taken + threads.length * AHEAD) {
      const piece = pieces[next];
      if (piece === undefined) return;
      send(idle.pop(), { piece });
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
    for (const thread of threads) send(thread, { known: await known });
    for (; taken < pieces.length; taken += 1) {
      feed();
      const found = await report();
      done.delete(taken);
      yield found;
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}
