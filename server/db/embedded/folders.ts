import { chmod, chown, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isRoot, type RunAs } from './account.js';
import { SHARED } from './layout.js';
import { isOpened } from './reach.js';
import { makeShared, noteCheckout, PASSABLE, unwritable } from './shared.js';

/**
 * Makes a data folder and what is missing above it; its real path. An ordinary
 * user's are private. Under root the account of the database passes through
 * them; what root keeps beside the database (the seed) has mode 0600.
 */
export async function makeDataFolder(path: string): Promise<string> {
  if (!isRoot()) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return await realpath(path);
  }
  const folder = resolve(path);
  const isShared = folder.startsWith(`${SHARED}/`);
  if (isShared) await makeShared();
  const first = await mkdir(folder, { recursive: true, mode: PASSABLE }).catch(
    (error: unknown) => {
      throw isShared ? unwritable(folder) : error;
    },
  );
  let made = first === undefined ? '' : folder;
  while (made.length >= (first ?? '/').length) {
    await chmod(made, PASSABLE); // whatever the umask
    made = dirname(made);
  }
  await noteCheckout(folder);
  return await realpath(folder);
}

/** The same for a folder that the account of the database must get through. */
export async function prepareDataRoot(path: string): Promise<string> {
  const real = await makeDataFolder(path);
  const { mode } = await stat(real);
  const isClosed = isOpened(real) && (mode & 0o001) === 0;
  if (isClosed) await chmod(real, (mode & 0o777) | 0o001);
  return real;
}

/**
 * Whether PostgreSQL's programs find each other in a folder of that name: they
 * put it between double quotes and hand it to a shell.
 */
export function isPlain(folder: string): boolean {
  return !/["$`\\\n]/.test(folder);
}

/** Makes a 0700 folder that belongs to the user of the server. */
export async function makePrivate(path: string, as: RunAs): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  await chmod(path, 0o700); // whatever the umask
  if (as !== null) await chown(path, as.uid, as.gid);
}

/** A real folder, of that user, closed to all others. */
export async function isPrivate(path: string, as: RunAs): Promise<boolean> {
  const owner = as?.uid ?? process.getuid?.();
  const found = await lstat(path);
  return (
    found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0
  );
}
