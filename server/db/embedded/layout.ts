import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '../files.js';
import { EmbeddedDatabaseError } from './error.js';

export const MAJOR = '18';

/** Root's data that the database's account must reach. */
export const SHARED = '/var/lib/reserve-board';

const LONGEST_NAME = 40; // a socket below it has a path of 107 bytes at most

export function clusterOf(dataDir: string): string {
  return join(dataDir, `pg${MAJOR}`);
}

/** Passed at start: the server's command line shows the data folder. */
export function hbaFile(dataRoot: string): string {
  return join(dataRoot, 'pg_hba.conf');
}

/**
 * `<name>-<8 hex>`; the hex is of the real path of the parent folder, the
 * checkout for `./data` (spec/board.md §16.1).
 */
export function sharedFolderFor(folder: string): string {
  const above = realpathSync(dirname(resolve(folder)));
  const name = basename(above)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '');
  const id = createHash('sha256').update(above).digest('hex').slice(0, 8);
  return join(SHARED, `${name || 'board'}-${id}`);
}

/** Passable for others, not listable. */
export const PASSABLE = 0o711;

/** A file in the data folder that names its checkout. */
export const NOTE = 'checkout';

/** @throws EmbeddedDatabaseError with the fix. */
export async function makeShared(shared: string = SHARED): Promise<void> {
  await mkdir(shared, { recursive: true, mode: PASSABLE }).catch(() => {
    throw unwritable(shared);
  });
  await assertOwned(shared);
  const { mode } = await stat(shared);
  if ((mode & 0o001) === 0) await chmod(shared, PASSABLE);
}

/** Somebody who may rename it could put a link in its place. */
export async function assertOwned(shared: string = SHARED): Promise<void> {
  const found = await stat(shared).catch(() => null);
  if (found === null) return;
  if (found.uid === 0 && (found.mode & 0o022) === 0) return;
  throw new EmbeddedDatabaseError(
    `${shared} is not root's alone; run chown root: ${shared} && chmod 711 ${shared}, or set DATA_DIR to another folder.`,
  );
}

export function unwritable(folder: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `${folder}, where root keeps what the account of its database has to reach, cannot be made; make the folder above it writable, set DATA_DIR to a folder that this account can enter, or start the board as an ordinary user.`,
  );
}

export async function noteCheckout(dataDir: string): Promise<void> {
  if (dataDir !== sharedFolderFor('./data')) return;
  const file = join(dataDir, NOTE);
  const text = `${process.cwd()}\n`;
  await writeFile(file, text, { flag: 'wx', mode: 0o600 }).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}
