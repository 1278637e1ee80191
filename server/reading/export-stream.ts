import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { columnOut } from '../db/copy.js';
import { rolledBack, run, type Sql } from '../db/sql.js';
import { ExportEnd, recordsQuery } from './export-format.js';

/**
 * All that can change the export (a message, a removal, a reinstatement) is an
 * entry of the log, so the signed head names the export's version exactly.
 */
export async function exportVersion(
  sql: Sql,
  baseUrl: string,
): Promise<string> {
  const [head] = await sql.query<{ checkpoint: string }>(
    'SELECT checkpoint FROM log_state WHERE origin_id = 0',
  );
  const digest = createHash('sha256')
    .update(`all.txt/v1\n${baseUrl}\n${head?.checkpoint ?? ''}`)
    .digest('base64url');
  return `"${digest.slice(0, 27)}"`;
}

/**
 * The bytes of /all.txt, piece by piece, of one snapshot. Whoever stops early
 * MUST end the iteration (`break` does), which ends the transaction.
 *
 * @param begun is told, before the first batch, the version of the snapshot.
 */
export async function* exportBatches(
  client: PoolClient,
  baseUrl: string,
  begun: (etag: string) => void = () => {},
): AsyncGenerator<Buffer> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    // Its reader's pace is bounded where it is read.
    await client.query('SET LOCAL statement_timeout = 0');
    const sql: Sql = { query: (text, values) => run(client, text, values) };
    begun(await exportVersion(sql, baseUrl));
    const end = new ExportEnd();
    const records = columnOut(client, recordsQuery(baseUrl));
    for await (const piece of records) {
      end.add(piece);
      yield piece;
    }
    yield end.line(records.rows);
  } finally {
    await rolledBack(client);
  }
}
