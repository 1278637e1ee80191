import { constants, existsSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.js';
import { accountFor } from '../../db/embedded/account.js';
import { clusterOf, SHARED } from '../../db/embedded/layout.js';
import { quoted } from '../../db/embedded/quote.js';
import { assertEnterable } from '../../db/embedded/reach.js';
import { assertOwned } from '../../db/embedded/shared.js';
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

/** What keeps the account of the embedded database out, as its start says it. */
async function closedTo(folder: string): Promise<Check | null> {
  try {
    if (folder.startsWith(`${SHARED}/`)) await assertOwned();
    assertEnterable(accountFor(clusterOf(folder)), folder);
    return null;
  } catch (error) {
    return failOf('data folder', (error as Error).message);
  }
}

/** Where the seed is, and who can read it; `isNew`: the start makes it. */
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
