import { constants, existsSync } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.js';
import { accountFor } from '../../db/embedded/account.js';
import { clusterOf, SHARED } from '../../db/embedded/layout.js';
import { quoted } from '../../db/embedded/quote.js';
import { assertEnterable } from '../../db/embedded/reach.js';
import { assertOwned } from '../../db/embedded/shared.js';
import { type Check, fail, ok, warn } from './check.js';

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
    const [detail = '', ...fix] = (error as Error).message.split('; ');
    return fail('data folder', detail, fix.join('; '));
  }
}

/** The kept seed, or null; `made` says whether a log was made with it. */
export async function seedFile(
  config: Config,
  made: boolean,
): Promise<{ check: Check; seed: string | null }> {
  const name = 'board seed';
  if (config.boardSeed !== null) {
    return { check: ok(name, 'BOARD_SEED is set'), seed: config.boardSeed };
  }
  const file = path.join(path.resolve(config.dataDir), 'board.seed');
  const found = await stat(file).catch(() => null);
  if (found === null) {
    const check = made
      ? fail(
          name,
          `${file} is missing, but a log was made with it`,
          'restore it from your backup before you start the board',
        )
      : warn(name, 'not made yet', 'start makes it; then back it up');
    return { check, seed: null };
  }
  const text = await readFile(file, 'utf8').catch(() => '');
  const seed = /^[0-9a-f]{64}$/.test(text.trim()) ? text.trim() : null;
  if (seed === null) {
    const fix = 'restore it from your backup';
    return { check: fail(name, `${file} holds no seed`, fix), seed };
  }
  if ((found.mode & 0o077) !== 0) {
    const detail = `${file} can be read by others (${octal(found.mode)})`;
    return { check: fail(name, detail, `chmod 600 ${quoted(file)}`), seed };
  }
  return { check: ok(name, `${file} (${octal(found.mode)})`), seed };
}
