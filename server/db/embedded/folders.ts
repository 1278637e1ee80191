import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isRoot, newAccount, type RunAs } from './account.js';
import { codeOf } from './error.js';
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

/** `./data`, unless root's database cannot live there (spec/board.md §16.1). */
export function defaultDataDir(external: boolean): string {
  return openFolder('./data', external);
}

/**
 * The folder itself, or the one in `/var/lib/reserve-board` that stands for it
 * where the account of root's database cannot enter it. One that holds a board
 * stays in use: rights that are changed later begin no other one.
 *
 * @param external no database of ours will lie in it
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

/** Where that cannot be asked the start says why. */
function isEnterable(folder: string): boolean {
  try {
    return closedOnTheWay(newAccount(), folder) === null;
  } catch {
    return true;
  }
}

const HOUR = 3_600_000;

/**
 * Makes a folder under a name of its own and moves it into place in one step: a
 * crash leaves nothing half made, and of several processes one wins.
 *
 * @returns false where another folder is in its place; that one stays.
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
  if (placed) await syncFolder(above);
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

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Drafts of processes that were killed; a young one may be in the making. */
async function removeOldDrafts(above: string): Promise<void> {
  for (const path of await draftsIn(above)) {
    const found = await stat(path).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < HOUR) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/**
 * Removes every draft, young ones too: for a folder whose draft is in its place,
 * so that no other one can win. What a program still writes stays for next time.
 */
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
