import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../files.js';
import { EmbeddedDatabaseError } from './error.js';
import { MAJOR } from './layout.js';

const MB = 1_000_000;
/** A new database and its first WAL take 60 MB. */
const NEW_MB = 100;

/**
 * @throws EmbeddedDatabaseError where a file has the name of a folder, or the
 *   reverse.
 */
export async function assertFolder(dataDir: string): Promise<void> {
  const path = resolve(dataDir);
  const found = await stat(path).catch((error: unknown) => {
    if (['ENOENT', 'EACCES'].includes(codeOf(error) ?? '')) return null;
    throw error;
  });
  if (found === null) return;
  if (!found.isDirectory()) {
    throw new EmbeddedDatabaseError(
      `${path} is not a folder; set DATA_DIR to a folder, or to one that does not exist yet.`,
    );
  }
  for (const name of FILES) await assertKind(join(path, name), 'file');
  for (const name of FOLDERS) await assertKind(join(path, name), 'folder');
}

/** By expected kind. */
const FILES = [
  ...['board.seed', 'board.seed.unused', 'log.head', 'clock.json'],
  ...['node.json', 'postgres.log', 'pg_hba.conf', 'pg_ident.conf'],
];
const FOLDERS = [`pg${MAJOR}`, 'socket'];

/** Checked early: found later, it would leave a start half done. */
async function assertKind(
  path: string,
  kind: 'file' | 'folder',
): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null) return;
  if (kind === 'file' ? found.isFile() : found.isDirectory()) return;
  throw new EmbeddedDatabaseError(
    `${path} is in the way: the board needs a ${kind} of that name; move it away, or set another DATA_DIR.`,
  );
}

/**
 * Checked before a new database is made, of which nothing would be left.
 * @throws EmbeddedDatabaseError for too little room; EROFS or EACCES.
 */
export async function assertRoom(
  dataDir: string,
  needed = NEW_MB,
): Promise<void> {
  const path = resolve(dataDir);
  const free = (await freeBytes(path)) / MB;
  if (free >= needed) return;
  throw new EmbeddedDatabaseError(
    `The disk of ${path} has ${Math.floor(free)} MB free, and a new database needs ${needed} MB; make room, or set DATA_DIR to a folder on another disk.`,
  );
}

async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    await access(path, constants.W_OK);
    return bavail * bsize;
  } catch (error) {
    const above = dirname(path);
    if (codeOf(error) !== 'ENOENT' || above === path) throw error;
    return await freeBytes(above);
  }
}
