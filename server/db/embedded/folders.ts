import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf, settle } from '../files.js';
import { isRoot, newAccount, type RunAs } from './account.js';
import {
  clusterOf,
  makeShared,
  noteCheckout,
  PASSABLE,
  SHARED,
  sharedFolderFor,
  unwritable,
} from './layout.js';
import { closedOnTheWay, isOpened } from './reach.js';

/** Returns the real path. Under root the database's account may pass. */
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

/** Makes the folder passable for the database's account. */
export async function prepareDataRoot(path: string): Promise<string> {
  const real = await makeDataFolder(path);
  const { mode } = await stat(real);
  const isClosed = isOpened(real) && (mode & 0o001) === 0;
  if (isClosed) await chmod(real, (mode & 0o777) | 0o001);
  return real;
}

/** PostgreSQL's programs put the path between double quotes in a shell. */
export function isPlain(folder: string): boolean {
  return !/["$`\\\n]/.test(folder);
}

export async function makePrivate(path: string, as: RunAs): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  await chmod(path, 0o700); // whatever the umask
  if (as !== null) await chown(path, as.uid, as.gid);
}

/** A real folder (no link), of that user, with mode 0700. */
export async function isPrivate(path: string, as: RunAs): Promise<boolean> {
  const owner = as?.uid ?? process.getuid?.();
  const found = await lstat(path);
  return (
    found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0
  );
}

/** `./data`, unless root's database cannot live there (spec/board.md §16.1). */
export function defaultDataDir(external: boolean): string {
  return openFolder('./data', external);
}

/**
 * The folder, or its stand-in under `/var/lib/reserve-board` where the account
 * of root's database cannot enter it. One that holds a board stays in use.
 * @param external no database of ours will be in it
 */
export function openFolder(folder: string, external = false): string {
  if (!isRoot()) return folder;
  const shared = sharedFolderFor(folder);
  if (existsSync(clusterOf(folder))) return folder;
  if (external && hasSeed(folder)) return folder;
  if (existsSync(clusterOf(shared)) || hasSeed(shared)) return shared;
  return external || isEnterable(folder) ? folder : shared;
}

function hasSeed(folder: string): boolean {
  return existsSync(join(folder, 'board.seed'));
}

/** Where this cannot be checked, the start reports it. */
function isEnterable(folder: string): boolean {
  try {
    return closedOnTheWay(newAccount(), folder) === null;
  } catch {
    return true;
  }
}

const HOUR = 3_600_000;

/**
 * Makes a folder aside and renames it into place: no half-made folder after a
 * crash, and one winner among processes.
 * @returns false where another folder is in its place
 */
export async function placeOnce(
  to: string,
  make: (draft: string) => Promise<void>,
): Promise<boolean> {
  const above = dirname(to);
  const draft = join(above, `init-${randomUUID()}`);
  const placed = await make(draft)
    .then(() => moved(draft, to))
    .catch(async (error: unknown) => {
      await rm(draft, { recursive: true, force: true });
      throw error;
    });
  if (placed) await settle(above);
  else await rm(draft, { recursive: true, force: true });
  await removeOldDrafts(above);
  return placed;
}

async function moved(draft: string, to: string): Promise<boolean> {
  try {
    await rename(draft, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

/** Young drafts may still be in use. */
async function removeOldDrafts(above: string): Promise<void> {
  for (const path of await draftsIn(above)) {
    const found = await stat(path).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < HOUR) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** Also young ones: call it only when the folder is in place. */
export async function removeDrafts(above: string): Promise<void> {
  for (const path of await draftsIn(above)) {
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

async function draftsIn(above: string): Promise<string[]> {
  const names = await readdir(above);
  return names
    .filter((name) => /^init-[0-9a-f-]{36}$/.test(name))
    .map((name) => join(above, name));
}
