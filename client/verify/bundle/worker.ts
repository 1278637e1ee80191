import { parentPort, workerData } from 'node:worker_threads';
import { useDigest } from '../../../protocol/bytes.js';
import { ready } from '../../../protocol/signing.js';
import { nativeDigest } from '../native-digest.js';
import type { Known } from './check-post.js';
import { checkTile, type TileReport } from './check-tile.js';
import type { Piece } from './layout.js';
import { type PackedPosts, packPosts } from './pack-posts.js';

/** What a thread is told: the folder at once, then what is known, then tiles. */
export type WorkerData = { folder: string };
export type Task = { known: Known } | { piece: Piece };
/** What it answers for each tile. */
export type PackedReport = Omit<TileReport, 'posts'> & { posts: PackedPosts };

const { folder } = workerData as WorkerData;
let known: Known | null = null;

useDigest(nativeDigest);
await ready;
parentPort?.on('message', (task: Task) => {
  if ('known' in task) known = task.known;
  else if (known === null) throw new Error('a tile before what is known');
  else {
    const report = checkTile(folder, task.piece, known);
    const packed = { ...report, posts: packPosts(report.posts) };
    parentPort?.postMessage(packed satisfies PackedReport);
  }
});
