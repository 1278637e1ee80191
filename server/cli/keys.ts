import path from 'node:path';
import { toHex } from '../../protocol/bytes.js';
import { formatVkey } from '../../protocol/vkey.js';
import { systemClock } from '../clock.js';
import { type Config, parseConfig } from '../config.js';
import { audited, commandLineActor } from '../dashboard/audit.js';
import { durable } from '../db/files.js';
import type { Database } from '../db/sql.js';
import { SIGNING, type SigningUse, signingSeed } from '../ledger/board-keys.js';
import { planStart } from '../ledger/start-plan.js';
import { CommandFailure } from './failure.js';
import { hasTables } from './node.sql.js';
import { type JsonOption, print } from './output.js';
import {
  databaseExists,
  requireMigrated,
  requireSeed,
  withOwnDatabase,
} from './tool-database.js';

type Flags = JsonOption & { key: SigningUse; secret?: string };

/** `--secret <file>` writes a seed (0600; spec/board.md §16.29). */
export async function showKeys(flags: Flags): Promise<void> {
  const { json = false, key, secret } = flags;
  const config = parseConfig(process.env);
  const boardSeed = await requireSeed(config);
  const shown = await atDatabase(config, async (db) => {
    const { own } = await planStart(db, config, systemClock.now());
    const file = secret === undefined ? null : path.resolve(secret);
    if (file !== null) {
      const seed = toHex(
        signingSeed({ ...config, boardSeed }, key, own.origin),
      );
      await writeSecret(db, file, key, seed);
    }
    return { ...own, file };
  });
  const { board, origin, keys, file } = shown;
  const uses = Object.keys(SIGNING) as SigningUse[];
  const vkeys = uses.map((use) => [use, formatVkey(keys[use].vkey)] as const);
  const facts = { ok: true, board, origin, ...Object.fromEntries(vkeys) };
  const lines = vkeys.map(([use, vkey]) => `${use.padEnd(6)}  ${vkey}`);
  if (file !== null) {
    lines.push(
      `The secret seed of the ${key} key is in ${file}. Anybody who has it can sign as this board: delete it when it has done its work.`,
    );
  }
  print(
    json,
    file === null ? facts : { ...facts, secret: file },
    [`${board}, log ${origin}`, ...lines].join('\n'),
  );
}

async function atDatabase<T>(
  config: Config,
  work: (db: Database | null) => Promise<T>,
): Promise<T> {
  if (!(await databaseExists(config))) return await work(null);
  return await withOwnDatabase(config, async (db) =>
    work((await hasTables(db)) ? db : null),
  );
}

/** Makes a new file; follows no link. */
async function writeSecret(
  db: Database | null,
  file: string,
  key: SigningUse,
  seed: string,
): Promise<void> {
  if (db === null) {
    throw new CommandFailure(
      'A secret is written only where the trail can record it, and there is no database yet; "reserve-board start" makes it.',
    );
  }
  await requireMigrated(db);
  const board = { writes: db, clock: systemClock };
  await audited(board, commandLineActor(), 'keys.secret', async () => {
    await durable(file, `${seed}\n`).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
      throw new CommandFailure(`${file} exists already; name a new file.`);
    });
    return { answer: undefined, subject: `key:${key}`, after: { file } };
  });
}
