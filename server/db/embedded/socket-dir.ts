import { createHash, randomUUID } from 'node:crypto';
import { lstat, rename, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { nullIfAway } from '../files.js';
import type { RunAs } from './account.js';
import { EmbeddedDatabaseError } from './error.js';
import { isPrivate, makePrivate } from './folders.js';
import { clusterOf } from './layout.js';
import { identityOf } from './orphans.js';
import { firstClosed } from './reach.js';

/** The kernel's `sun_path` less its closing zero byte. */
const MAX_SOCKET_PATH = process.platform === 'darwin' ? 103 : 107;

/**
 * Beside the data, or a short path when that is too long. Of this cluster
 * alone: a server that ends removes its socket.
 */
export function socketDirFor(
  dataRoot: string,
  port: number,
  as: RunAs,
  tmp: string = tmpdir(),
): string {
  const cluster = identityOf(clusterOf(dataRoot)) ?? '';
  const id = hash(`${dataRoot}${cluster}`, 16);
  const uid = as?.uid ?? process.getuid?.() ?? 0;
  const beside = join(dataRoot, 'socket', hash(cluster, 8));
  if (fits(beside, port)) return beside;
  const found = [tmp, '/tmp']
    .map((above) => join(above, `board-${uid}-${id}`))
    .find((dir) => fits(dir, port) && firstClosed(as, [dirname(dir)]) === null);
  if (found !== undefined) return found;
  throw new EmbeddedDatabaseError(
    `No folder below ${tmp} or /tmp takes the database socket: their paths are too long or closed; set a shorter DATA_DIR.`,
  );
}

function hash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

function fits(dir: string, port: number): boolean {
  const path = join(dir, `.s.PGSQL.${port}`);
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH;
}

/** In /tmp anybody could pose as the database: it must be ours. */
export async function makeSocketDir(dir: string, as: RunAs): Promise<void> {
  const above = dirname(dir);
  if (basename(above) === 'socket') await makeSocketDir(above, as);
  if (!(await exists(dir))) await placePrivate(dir, as);
  if (await isPrivate(dir, as)) return;
  throw new EmbeddedDatabaseError(
    `The folder ${dir} of the database socket belongs to someone else or is open to others: remove it, or set a shorter DATA_DIR.`,
  );
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(nullIfAway)) !== null;
}

/** Renamed into place; an existing one stays. */
async function placePrivate(dir: string, as: RunAs): Promise<void> {
  const draft = `${dir}-${randomUUID()}`;
  await makePrivate(draft, as);
  await rename(draft, dir).catch(async (error: unknown) => {
    await rmdir(draft);
    if (!(await exists(dir))) throw error;
  });
}
