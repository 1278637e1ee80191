// By hand: most of these read or change the catalogue, which has no entities.
import type { PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { only, type Sql, type Tx } from '../../db/sql.js';
import type { StoredContent } from '../../db/stored-content.js';
import { OWN_LOG, ownLogOf } from '../../ledger/own-log.sql.js';
import { pollContentOfRoot } from '../../polls/index.js';

/**
 * Not in backups. Day keys would name networks, equal counters link what one
 * network did: budgets restart, unfinished days are lost (spec/operators.md
 * §R7.4). Tickets have unpublished drafts. Sessions, links and challenges must
 * not come back to life.
 */
export const LEFT_OUT: readonly string[] = [
  'budget_head',
  'budget_spend',
  'challenge_lock',
  'day_key',
  'operator_attempt',
  'operator_attempt_count',
  'operator_challenge',
  'operator_device',
  'operator_invite',
  'operator_session',
  'reader_event',
  'session_day',
  'ticket',
];

/** Emptied in backups: network tags and counters. */
const EMPTIED: Readonly<Record<string, string>> = {
  'report.reporter': 'NULL::bytea',
  'relay_outbox.tag': "decode(repeat('00', 16), 'hex')",
  'relay_outbox.tag_next': "decode(repeat('00', 16), 'hex')",
  'relay_outbox.spent_scopes': "'{}'::text[]",
  'relay_outbox.spent_keys': "'{}'::bytea[]",
};

export type Table = { name: string; columns: string[] };

/** Text format of COPY. */
export function copyOut(client: PoolClient, { name, columns }: Table) {
  const list = columns
    .map((column) => EMPTIED[`${name}.${column}`] ?? quoted(column))
    .join(', ');
  return client.query(
    copyTo(`COPY (SELECT ${list} FROM ${quoted(name)}) TO STDOUT`),
  );
}

export function copyIn(client: PoolClient, { name, columns }: Table) {
  const list = columns.map(quoted).join(', ');
  return client.query(copyFrom(`COPY ${quoted(name)} (${list}) FROM STDIN`));
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Partitions count as their parent. */
export async function boardTables(sql: Sql): Promise<Table[]> {
  return await sql.query<Table>(
    `SELECT c.relname AS name,
       array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = current_schema()::regnamespace
       AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> 'migrations'
     GROUP BY c.relname ORDER BY c.relname`,
  );
}

export async function keptTables(sql: Sql): Promise<Table[]> {
  const tables = await boardTables(sql);
  return tables.filter(({ name }) => !LEFT_OUT.includes(name));
}

export async function mirrorOrigins(sql: Sql): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `SELECT substring(c.relname FROM '^log_entry_([0-9]+)$')::int AS id
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = to_regclass('log_entry')
       AND c.relname ~ '^log_entry_[0-9]+$' ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}

export async function hasRows(tx: Tx, table: string): Promise<boolean> {
  const [row] = await tx.query<{ exists: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS exists',
    [table],
  );
  if (row?.exists !== true) return false;
  const some = await tx.query(`SELECT 1 FROM ${quoted(table)} LIMIT 1`);
  return some.length > 0;
}

export async function openMirror(tx: Tx, originId: number): Promise<void> {
  await tx.query('SELECT mirror_open($1::int)', [originId]);
}

export async function emptyTable(tx: Tx, table: string): Promise<void> {
  await tx.query(`DELETE FROM ${quoted(table)}`);
}

type ForeignKey = { table: string; name: string; definition: string };

/**
 * Lifts foreign keys and triggers and returns how to restore them, in the same
 * transaction: rows refer to each other, and triggers would note old events.
 * Needs ownership only.
 */
export async function liftRules(tx: Tx): Promise<() => Promise<void>> {
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
  const setTriggers = async (action: 'DISABLE' | 'ENABLE') => {
    for (const { name } of tables) {
      await tx.query(`ALTER TABLE ${quoted(name)} ${action} TRIGGER USER`);
    }
  };
  await setTriggers('DISABLE');
  return async () => {
    await setTriggers('ENABLE');
    // Adding a key checks every row.
    for (const { table, name, definition } of keys) {
      await tx.query(
        `ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`,
      );
    }
  };
}

export async function serverFacts(
  tx: Tx,
): Promise<{ version: string; migrated: string[] }> {
  const rows = await tx.query<{ version: string; migrated: string[] }>(
    `SELECT current_setting('server_version') AS version,
       (SELECT array_agg(m.name::text) FROM migrations m) AS migrated`,
  );
  return only(rows);
}

/** By statistics: exact enough for a progress bar. */
export async function rowsAbout(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(
    `SELECT coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint AS rows
     FROM pg_class c WHERE c.relkind = 'r'
       AND c.relnamespace = current_schema()::regnamespace`,
  );
  return row?.rows ?? 0;
}

/** With the message it records. */
export type RestoredEntry = StoredContent & {
  idx: number;
  leaf: Buffer;
  leaf_hash: Buffer;
  type: string;
  message_id: number | null;
  found: boolean;
};

const ENTRIES = `SELECT e.idx, e.leaf, e.leaf_hash, e.type, e.message_id,
    m.id IS NOT NULL AND m.log_index = e.idx
      AND m.message_hash = e.message_hash AS found,
    m.salt, m.author, m.title, m.body, ${pollContentOfRoot('m')} AS poll
  FROM log_entry e
    LEFT JOIN message m ON m.id = e.message_id AND e.type = 'post'
  WHERE e.origin_id = ${OWN_LOG} AND e.idx >= $1 ORDER BY e.idx LIMIT $2`;

export async function restoredEntries(
  tx: Tx,
  from: number,
  limit: number,
): Promise<RestoredEntry[]> {
  return await tx.query<RestoredEntry>(ENTRIES, [from, limit]);
}

export async function messagesWithoutEntry(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ lost: number }>(
    `SELECT count(*) AS lost FROM message m
     WHERE NOT EXISTS (SELECT FROM log_entry e
       WHERE e.origin_id = ${ownLogOf('m.id')} AND e.idx = m.log_index
         AND e.message_id = m.id)`,
  );
  return row?.lost ?? 0;
}

/** Without statistics the first plans would be slow. */
export async function analyze(sql: Sql): Promise<void> {
  await sql.query('ANALYZE');
}
