import type { Sql } from '../../db/sql.js';
import { LEFT_OUT } from './left-out.js';

export type Table = { name: string; columns: string[] };

/** A name in SQL; names come from the catalogue or a checked manifest. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Every table of the board with its columns, partitions as their parent:
 * whatever a later migration adds is in the next backup by itself.
 */
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

/** Those of them whose rows a backup holds. */
export async function keptTables(sql: Sql): Promise<Table[]> {
  const tables = await boardTables(sql);
  return tables.filter(({ name }) => !LEFT_OUT.includes(name));
}

/** The mirrored logs that have partitions. */
export async function mirrorOrigins(sql: Sql): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `SELECT substring(c.relname FROM '^log_entry_([0-9]+)$')::int AS id
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = to_regclass('log_entry')
       AND c.relname ~ '^log_entry_[0-9]+$' ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}
