import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Known } from './check-post.js';
import { checkTile, type TileReport } from './check-tile.js';
import type { Piece } from './layout.js';
import { unpackPosts } from './pack-posts.js';
import type { PackedReport, Task } from './worker.js';

export type Threads = {
  /** How many, the calling one among them; by default one for each core. */
  threads?: number;
  /** The module that the others run; null: the calling thread does it all. */
  worker?: URL | null;
};

/** How far the threads may run ahead of what is taken, in tiles each. */
const AHEAD = 8;
/** Tiles given to a thread at a time: the next is there when one is done. */
const GIVEN = 3;
/** What a tile leaves dies young: room for it, so that little is moved. */
const ROOM = { maxYoungGenerationSizeMb: 64 };
/** Starting threads costs more than checking so few tiles. */
const FEW = 4;

/** Beside this file once compiled; Node loads no TypeScript in a thread. */
const WORKER = import.meta.url.endsWith('.js')
  ? new URL('./worker.js', import.meta.url)
  : null;

/** Starts the other threads; they get up while the log is looked through. */
export function startThreads(
  folder: string,
  tiles: number,
  { threads = availableParallelism(), worker = WORKER }: Threads,
): Worker[] {
  if (worker === null || tiles <= FEW) return [];
  return Array.from(
    { length: Math.min(threads, tiles) - 1 },
    () => new Worker(worker, { workerData: { folder }, resourceLimits: ROOM }),
  );
}

/**
 * Checks tiles in these threads and in the calling one, and gives the reports
 * in order. The threads end with it.
 * @throws what a thread threw.
 */
export async function* checkTiles(
  folder: string,
  pieces: readonly Piece[],
  known: Promise<Known>,
  threads: readonly Worker[],
): AsyncGenerator<TileReport, void, void> {
  const done = new Map<number, TileReport>();
  const thrown: unknown[] = [];
  const most = (threads.length + 1) * AHEAD;
  let wake = () => {};
  let next = 0;
  let taken = 0;
  const nextPiece = (): Piece | undefined => {
    const piece = next < taken + most ? pieces[next] : undefined;
    if (piece !== undefined) next += 1;
    return piece;
  };
  const feed = (thread: Worker): void => {
    const piece = nextPiece();
    if (piece === undefined) idle.push(thread);
    else send(thread, { piece });
  };
  const idle = Array.from({ length: GIVEN }, () => threads).flat();
  for (const thread of threads) {
    thread.on('message', ({ posts, ...report }: PackedReport) => {
      done.set(report.n, { ...report, posts: unpackPosts(posts) });
      feed(thread);
      wake();
    });
    thread.on('error', (error) => {
      thrown.push(error);
      wake();
    });
  }
  try {
    const all = await known;
    for (const thread of threads) send(thread, { known: all });
    while (taken < pieces.length) {
      for (const thread of idle.splice(0)) feed(thread);
      if (thrown.length > 0) throw thrown[0];
      const report = done.get(taken);
      if (report !== undefined) {
        done.delete(taken);
        taken += 1;
        yield report;
        continue;
      }
      const piece = nextPiece();
      if (piece !== undefined) {
        done.set(piece.n, checkTile(folder, piece, all));
        await setImmediate(); // the others are heard, and progress is drawn
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}

function send(thread: Worker, task: Task): void {
  thread.postMessage(task);
}
