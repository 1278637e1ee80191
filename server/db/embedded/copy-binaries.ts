import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { codeOf, nullIfAway, settle } from '../files.js';
import { isRoot } from './account.js';
import type { Binaries, Package } from './binaries.js';
import { EmbeddedDatabaseError } from './error.js';
import { isPlain, placeOnce } from './folders.js';
import { makeShared, SHARED } from './layout.js';

const AT_ONCE = 16;

/** Best first: shared by the account's boards, else the data folder. */
function homes(dataRoot: string): (() => Promise<string>)[] {
  const ofUser = async () => {
    const folder = join(homedir(), '.cache', 'reserve-board');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
  const shared = () => makeShared().then(() => SHARED);
  return [isRoot() ? shared : ofUser, () => Promise.resolve(dataRoot)];
}

/**
 * For an account that cannot run the package's binaries (spec/board.md §16.1).
 * @throws EmbeddedDatabaseError where no place takes a copy.
 */
export async function copiedBinaries(
  found: Package,
  dataRoot: string,
): Promise<Binaries> {
  const faults: string[] = [];
  for (const home of homes(dataRoot)) {
    try {
      const folder = await home();
      if (isPlain(folder)) return await copyOnce(found, folder);
      faults.push(`the path ${folder} cannot be handed to a shell`);
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  throw new EmbeddedDatabaseError(
    `The PostgreSQL in ${found.folder} cannot be run from there, and no copy of it can be made (${faults.join(', ')}); install the board in a plain folder that everyone can enter, such as /opt/reserve-board, or set DATABASE_URL.`,
  );
}

/** Never changed or removed later: another board's server may run it. */
export async function copyOnce(
  found: Package,
  home: string,
): Promise<Binaries> {
  const to = join(home, `postgres-${found.version}`);
  const isThere = await stat(to).catch(nullIfAway);
  if (isThere === null) {
    await placeOnce(to, async (draft) => {
      await makeOpen(draft);
      await copyTree(join(found.folder, 'native'), join(draft, 'native'));
      await hydrateSymlinks(draft);
      await syncFolders(draft);
    });
  }
  const copyOf = (path: string) => join(to, 'native', 'bin', basename(path));
  return {
    initdb: copyOf(found.binaries.initdb),
    pgCtl: copyOf(found.binaries.pgCtl),
    postgres: copyOf(found.binaries.postgres),
  };
}

/** Readable and executable for all, whatever the original and the umask. */
async function copyTree(from: string, to: string): Promise<void> {
  await makeOpen(to);
  const entries = await readdir(from, { withFileTypes: true });
  for (let next = 0; next < entries.length; next += AT_ONCE) {
    await Promise.all(
      entries.slice(next, next + AT_ONCE).map(async (entry) => {
        const one = [join(from, entry.name), join(to, entry.name)] as const;
        if (entry.isDirectory()) await copyTree(...one);
        else if (entry.isSymbolicLink())
          await symlink(await readlink(one[0]), one[1]);
        else await copyOne(...one, basename(from) === 'bin');
      }),
    );
  }
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  }
  await settle(folder);
}

async function makeOpen(folder: string): Promise<void> {
  await mkdir(folder);
  await chmod(folder, 0o755);
}

async function copyOne(from: string, to: string, runs: boolean) {
  await copyFile(from, to);
  await chmod(to, runs ? 0o755 : 0o644);
  await settle(to);
}

type Link = { source: string; target: string };

/**
 * npm packages cannot carry symbolic links, so they come with a list. Its
 * install script would make them, but install scripts are off.
 */
export async function hydrateSymlinks(packageDir: string): Promise<number> {
  let made = 0;
  for (const { source, target } of await manifest(packageDir)) {
    const path = join(packageDir, target);
    if ((await lstat(path).catch(() => null)) !== null) continue;
    try {
      await symlink(relative(dirname(target), source), path);
      made += 1;
    } catch (error) {
      // another process was faster
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
  return made;
}

async function manifest(packageDir: string): Promise<Link[]> {
  const path = join(packageDir, 'native', 'pg-symlinks.json');
  const text = await readFile(path, 'utf8').catch(nullIfAway);
  return JSON.parse(text ?? '[]') as Link[];
}
