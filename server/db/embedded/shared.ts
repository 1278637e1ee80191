import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, EmbeddedDatabaseError } from './error.js';
import { SHARED, sharedFolderFor } from './layout.js';

/** Others may pass through such a folder, and not list it. */
export const PASSABLE = 0o711;

/** In a data folder in {@link SHARED}: which checkout it belongs to. */
export const NOTE = 'checkout';

/**
 * Makes {@link SHARED}, where it is missing. What root puts there must be out
 * of everyone else's hands: who may rename it could put a link in its place.
 */
export async function makeShared(shared: string = SHARED): Promise<void> {
  await mkdir(shared, { recursive: true, mode: PASSABLE });
  const { uid, mode } = await stat(shared);
  if (uid !== 0 || (mode & 0o022) !== 0) {
    throw new EmbeddedDatabaseError(
      `${shared} is not root's alone; run chown root: ${shared} && chmod 711 ${shared}, or set DATA_DIR to another folder.`,
    );
  }
  if ((mode & 0o001) === 0) await chmod(shared, PASSABLE);
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
