import { constants, existsSync } from 'node:fs';
import { access, readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.js';
import { accountFor, isRoot, NOBODY } from '../../db/embedded/account.js';
import { quoted } from '../../db/embedded/error.js';
import {
  assertOwned,
  clusterOf,
  NOTE,
  SHARED,
} from '../../db/embedded/layout.js';
import { assertEnterable } from '../../db/embedded/reach.js';
import { seedFile } from '../../ledger/board-seed.js';
import { type Check, fail, failOf, ok, warn } from './check.js';

const octal = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');

export async function dataFolder(config: Config): Promise<Check> {
  const name = 'data folder';
  const folder = path.resolve(config.dataDir);
  const closed = config.databaseUrl === null ? await closedTo(folder) : null;
  if (closed !== null) return closed;
  const found = await stat(folder).catch(() => null);
  if (found === null) return await notMade(folder);
  if (!found.isDirectory()) {
    return fail(name, `${folder} is no folder`, 'set DATA_DIR to a folder');
  }
  if ((found.mode & 0o022) !== 0) {
    return fail(
      name,
      `${folder} can be written by others (${octal(found.mode)})`,
      `chmod go-w ${quoted(folder)}`,
    );
  }
  const rights = constants.R_OK | constants.W_OK | constants.X_OK;
  const usable = await access(folder, rights).then(
    () => true,
    () => false,
  );
  if (usable) return ok(name, folder);
  return fail(
    name,
    `${folder} cannot be written by this user`,
    'change its owner or set DATA_DIR to a folder of this user',
  );
}

async function notMade(folder: string): Promise<Check> {
  const name = 'data folder';
  let above = path.dirname(folder);
  while (!existsSync(above)) above = path.dirname(above);
  return await access(above, constants.W_OK | constants.X_OK).then(
    () => warn(name, `${folder} does not exist yet`, 'start makes it'),
    () =>
      fail(
        name,
        `${folder} does not exist, and ${above} cannot be written`,
        `make ${above} writable, or set DATA_DIR to another folder`,
      ),
  );
}

async function closedTo(folder: string): Promise<Check | null> {
  try {
    if (folder.startsWith(`${SHARED}/`)) await assertOwned();
    assertEnterable(accountFor(clusterOf(folder)), folder);
    return null;
  } catch (error) {
    return failOf('data folder', (error as Error).message);
  }
}

/** `isNew`: the start makes it. */
export async function seedPlace(
  config: Config,
  isNew: boolean,
): Promise<Check> {
  const name = 'board seed';
  if (config.boardSeed !== null) return ok(name, 'BOARD_SEED is set');
  if (isNew) {
    return warn(name, 'not made yet', 'start makes it; then back it up');
  }
  const file = seedFile(config.dataDir);
  const { mode } = await stat(file);
  if ((mode & 0o077) === 0) return ok(name, `${file} (${octal(mode)})`);
  const detail = `${file} can be read by others (${octal(mode)})`;
  return fail(name, detail, `chmod 600 ${quoted(file)}`);
}

/** Shared account and folders of boards under root. */
export async function rootChecks(config: Config): Promise<Check[]> {
  if (!isRoot()) return [];
  return [...account(config), ...(await sharedFolders(config))];
}

function account({ databaseUrl, dataDir }: Config): Check[] {
  if (databaseUrl !== null) return [];
  const name = 'database account';
  const cluster = clusterOf(path.resolve(dataDir));
  const as = accountOrNull(cluster);
  if (as === null) return []; // the data folder's line says why
  if (as.name !== NOBODY) return [ok(name, as.name)];
  const detail = `${NOBODY}, as which other programs run too: none of them may connect to the database, but each can read and change its files`;
  const add = 'run useradd --system reserve-board';
  const owned = [cluster, path.join(path.dirname(cluster), 'socket')]
    .filter((folder) => existsSync(folder))
    .map(quoted);
  const fix =
    owned.length > 0
      ? `${add}, stop the board, run chown -R reserve-board: ${owned.join(' ')}`
      : `${add} before the first start`;
  return [warn(name, detail, fix)];
}

function accountOrNull(cluster: string) {
  try {
    return accountFor(cluster);
  } catch {
    return null;
  }
}

async function sharedFolders({ dataDir }: Config): Promise<Check[]> {
  const own = await realpath(dataDir).catch(() => null);
  const names = await readdir(SHARED).catch(() => []);
  return await Promise.all(
    names.sort().map((name) => sharedFolder(path.join(SHARED, name), own)),
  );
}

async function sharedFolder(
  folder: string,
  own: string | null,
): Promise<Check> {
  const name = 'shared folder';
  if (folder === own) return ok(name, `${folder}: this board`);
  if (path.basename(folder).startsWith('postgres-')) {
    return ok(name, `${folder}: PostgreSQL, for every board of root`);
  }
  const note = await readFile(path.join(folder, NOTE), 'utf8').catch(() => '');
  const checkout = note.trim();
  if (checkout === '') return ok(name, `${folder}: not made by default`);
  if (existsSync(checkout)) return ok(name, `${folder}: of ${checkout}`);
  return warn(
    name,
    `${folder}: of ${checkout}, which is gone`,
    `DATA_DIR=${folder} runs that board from elsewhere; if nobody needs it, keep its board.seed and remove the folder`,
  );
}
