import { existsSync } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.js';
import { accountFor, isRoot, NOBODY } from '../../db/embedded/account.js';
import { clusterOf, SHARED } from '../../db/embedded/layout.js';
import { quoted } from '../../db/embedded/quote.js';
import { NOTE } from '../../db/embedded/shared.js';
import { type Check, ok, warn } from './check.js';

/** What only boards of root have: an account and folders that they share. */
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
  const detail = `${NOBODY}, as which other programs run too: each of them can read and change the database`;
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
