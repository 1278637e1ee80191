import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { PoolClient } from 'pg';
import { copyIn } from '../../db/copy.js';
import {
  commit,
  type Database,
  rolledBack,
  type Tx,
  transactionOf,
} from '../../db/sql.js';
import { checkRestored } from './check-restored.js';
import {
  BackupFault,
  fileOf,
  type Manifest,
  type TableEntry,
} from './manifest.js';
import { boardTables, quoted } from './tables.js';

export type LoadOptions = {
  /** Called last, when everything is in and checked, before it counts. */
  beforeCommit?: () => Promise<void>;
  onProgress?: (rows: number, of: number) => void;
};

/**
 * Loads a backup whose files were checked into an empty database that has its
 * schema, in one transaction: what is interrupted leaves an empty database.
 * Before the commit the log is computed anew from its leaves and compared with
 * the signed root.
 *
 * @throws BackupFault
 */
export async function loadBackup(
  db: Database,
  folder: string,
  manifest: Manifest,
  { beforeCommit, onProgress }: LoadOptions = {},
): Promise<void> {
  await db.withClient(async (client) => {
    await client.query('BEGIN');
    try {
      const tx = transactionOf(client);
      // A node that starts meanwhile waits here before it makes a log.
      await tx.query("SELECT pg_advisory_xact_lock(hashtext('board genesis'))");
      await assertEmpty(tx);
      await assertFits(tx, manifest);
      const restoreRules = await liftRules(tx);
      await loadTables(client, tx, folder, manifest, onProgress);
      await restoreRules();
      await checkRestored(client, manifest);
      await beforeCommit?.();
      await commit(client);
    } catch (error) {
      await rolledBack(client);
      throw error;
    }
  });
}

/** What only a board that has been used holds. */
const USED = ['message', 'log_entry', 'decision', 'operator', 'peer', 'poll'];

/** @throws BackupFault for a database that holds a board already. */
export async function assertEmpty(tx: Tx): Promise<void> {
  for (const table of USED) {
    const [row] = await tx.query<{ there: boolean }>(
      'SELECT to_regclass($1) IS NOT NULL AS there',
      [table],
    );
    if (row?.there !== true) continue;
    const some = await tx.query(`SELECT 1 FROM ${quoted(table)} LIMIT 1`);
    if (some.length === 0) continue;
    throw new BackupFault(
      'The database holds a board already, and a restore writes over nothing; set DATABASE_URL to an empty database, or DATA_DIR to a folder with board.seed alone (or move the folder of the embedded database away).',
    );
  }
}

/** @throws BackupFault where the backup's columns are not the schema's. */
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
  for (const origin of mirrors) {
    await tx.query('SELECT mirror_open($1::int)', [origin]);
  }
  const of = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const table of tables) {
    // Migrations leave rows of their own, such as the streams' beginnings.
    await tx.query(`DELETE FROM ${quoted(table.name)}`);
    done += await loadTable(client, folder, table);
    onProgress?.(done, of);
  }
}

async function loadTable(
  client: PoolClient,
  folder: string,
  table: TableEntry,
): Promise<number> {
  const columns = table.columns.map(quoted).join(', ');
  const file = createReadStream(fileOf(folder, table));
  const rows = file.pipe(createGunzip());
  file.on('error', (error) => rows.destroy(error));
  const taken = await copyIn(
    client,
    `COPY ${quoted(table.name)} (${columns}) FROM STDIN`,
    rows,
  );
  if (taken === table.rows) return taken;
  throw new BackupFault(
    `${fileOf(folder, table)} gave ${taken} rows instead of ${table.rows}; use another backup.`,
  );
}

type ForeignKey = { table: string; name: string; definition: string };

/**
 * Takes the rules between tables away and answers how to put them back, all in
 * one transaction: rows come in table by table, and a decision names a message
 * that names the decision. Triggers would note the past as if it were news.
 * Only ownership is needed, no rights of a superuser.
 */
async function liftRules(tx: Tx): Promise<() => Promise<void>> {
  const keys = await tx.query<ForeignKey>(
    `SELECT c.conrelid::regclass::text AS table, c.conname AS name,
       pg_get_constraintdef(c.oid) AS definition
     FROM pg_constraint c
     WHERE c.contype = 'f' AND c.conparentid = 0
       AND c.connamespace = current_schema()::regnamespace
     ORDER BY c.oid`,
  );
  const tables = await boardTables(tx);
  for (const { table, name } of keys) {
    await tx.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`);
  }
  for (const { name } of tables) {
    await tx.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
  }
  return async () => {
    for (const { name } of tables) {
      await tx.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    }
    // Adding a key checks every row: what does not fit ends the restore.
    for (const { table, name, definition } of keys) {
      await tx.query(
        `ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`,
      );
    }
  };
}
