import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { PoolClient } from 'pg';
import type { Database, Tx } from '../../db/sql.js';
import { lockGenesis } from '../../ledger/head.sql.js';
import {
  boardTables,
  copyIn,
  emptyTable,
  hasRows,
  liftRules,
  openMirror,
} from './backup.sql.js';
import { checkRestored } from './check-restored.js';
import {
  BackupFault,
  damaged,
  fileOf,
  type Manifest,
  type TableEntry,
} from './manifest.js';

export type LoadOptions = {
  beforeCommit?: () => Promise<void>;
  /** After the commit, with this release's schema. */
  afterwards?: (db: Database) => Promise<void>;
  onProgress?: (rows: number, of: number) => void;
};

/**
 * Loads a checked backup into an empty database, in one transaction. Compares
 * the log's root with the signed one before the commit.
 * @throws BackupFault
 */
export async function loadBackup(
  db: Database,
  folder: string,
  manifest: Manifest,
  { beforeCommit, onProgress }: LoadOptions = {},
): Promise<void> {
  const load = db.transaction(async (tx, client) => {
    // A node that starts meanwhile waits here before it makes a log.
    await lockGenesis(tx);
    await assertEmpty(tx);
    await assertFits(tx, manifest);
    const restoreRules = await liftRules(tx);
    await loadTables(client, tx, folder, manifest, onProgress);
    await restoreRules();
    await checkRestored(tx, manifest);
    await beforeCommit?.();
  });
  await load.catch((error: unknown) => {
    throw faultOfRows(error) ?? error;
  });
}

/** SQL errors of bad rows (missing rights excepted), and of gzip. */
const REFUSED = /^(?!42501)(22|23|42)[0-9A-Z]{3}$|^Z_/;

/** Null for errors that are not the backup's. */
function faultOfRows(error: unknown): BackupFault | null {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string' || !REFUSED.test(code)) return null;
  const [first = code] = String(message).split('\n');
  return new BackupFault(
    `The backup cannot be loaded: ${first} (${code}); use another one.`,
  );
}

const USED = ['message', 'log_entry', 'decision', 'operator', 'peer', 'poll'];

export async function assertEmpty(tx: Tx): Promise<void> {
  for (const table of USED) {
    if (!(await hasRows(tx, table))) continue;
    throw new BackupFault(
      'The database has a board already, and a restore overwrites nothing; set DATABASE_URL to an empty database, or DATA_DIR to a folder with board.seed alone (or move the folder of the embedded database away).',
    );
  }
}

/** @throws BackupFault where columns differ from the schema */
async function assertFits(tx: Tx, { tables }: Manifest): Promise<void> {
  const there = new Map(
    (await boardTables(tx)).map(({ name, columns }) => [name, columns]),
  );
  const stranger = tables.find(
    ({ name, columns }) =>
      !columns.every((column) => there.get(name)?.includes(column)),
  );
  if (stranger === undefined) return;
  throw new BackupFault(
    `The database has another schema than the backup (${stranger.name}); restore into an empty database that nothing has migrated.`,
  );
}

async function loadTables(
  client: PoolClient,
  tx: Tx,
  folder: string,
  { tables, mirrors }: Manifest,
  onProgress: LoadOptions['onProgress'],
): Promise<void> {
  for (const origin of mirrors) await openMirror(tx, origin);
  const of = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const table of tables) {
    // Migrations insert rows of their own.
    await emptyTable(tx, table.name);
    done += await loadTable(client, folder, table);
    onProgress?.(done, of);
  }
}

async function loadTable(
  client: PoolClient,
  folder: string,
  table: TableEntry,
): Promise<number> {
  const file = fileOf(folder, table);
  const copy = copyIn(client, table);
  // Hashed again: the file may have been replaced since.
  const hash = createHash('sha256');
  const hashed = new PassThrough().on('data', (chunk: Buffer) => {
    hash.update(chunk);
  });
  await pipeline(createReadStream(file), hashed, createGunzip(), copy);
  if (hash.digest('hex') !== table.sha256) {
    throw damaged(file, 'it was changed while it was read');
  }
  const taken = copy.rowCount;
  if (taken === table.rows) return taken;
  throw new BackupFault(
    `${file} gave ${taken} rows instead of ${table.rows}; use another backup.`,
  );
}
