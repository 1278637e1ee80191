import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, EmbeddedDatabaseError } from './error.js';
import { SHARED, sharedFolderFor } from './layout.js';

/** Others may pass through such a folder, and not list it. */
export const PASSABLE = 0o711;

/** In a data folder in {@link SHARED}: which checkout it belongs to. */
export const NOTE = 'checkout';

/**
 * Makes {@link SHARED}, where it is missing.
 *
 * @throws EmbeddedDatabaseError with the fix.
 */
export async function makeShared(shared: string = SHARED): Promise<void> {
  await mkdir(shared, { recursive: true, mode: PASSABLE }).catch(() => {
    throw unwritable(shared);
  });
  await assertOwned(shared);
  const { mode } = await stat(shared);
  if ((mode & 0o001) === 0) await chmod(shared, PASSABLE);
}

/**
 * What root puts into {@link SHARED} must be out of everyone else's hands: who
 * may rename it could put a link in its place.
 */
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

/** Writes into the data folder of this checkout that it is that. */
export async function noteCheckout(dataDir: string): Promise<void> {
  if (dataDir !== sharedFolderFor('./data')) return;
  const file = join(dataDir, NOTE);
  const text = `${process.cwd()}\n`;
  await writeFile(file, text, { flag: 'wx', mode: 0o600 }).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}
