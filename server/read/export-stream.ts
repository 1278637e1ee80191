import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { rolledBack, run, type Sql } from '../db/sql.js';
import { moderationUrl } from '../urls.js';
import { ExportEnd, RECORDS, type RecordBatch } from './export-format.js';

/** Large enough to share a way to the database, small enough to hold a few. */
const BATCH = 250;
/** How long the reader of one batch may take before the snapshot is given up. */
const PAUSE_MS = 60_000;

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
 * The text of /all.txt, batch by batch, of one snapshot. Whoever stops early
 * MUST end the iteration (`break` does), which ends the transaction.
 *
 * @param begun is told, before the first batch, the version of the snapshot.
 */
export async function* exportBatches(
  client: PoolClient,
  baseUrl: string,
  begun: (etag: string) => void = () => {},
): AsyncGenerator<string> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    await client.query(
      `SET LOCAL idle_in_transaction_session_timeout = ${PAUSE_MS}`,
    );
    const sql: Sql = { query: (text, values) => run(client, text, values) };
    begun(await exportVersion(sql, baseUrl));
    const end = new ExportEnd();
    // What comes before the ID.
    const decisions = moderationUrl(baseUrl, 0).slice(0, -1);
    // The database makes one batch while the one before is written.
    const above = (last: number) => {
      const values = [last, decisions, BATCH];
      const asked = run<RecordBatch>(client, RECORDS, values);
      asked.catch(() => {}); // nobody may be left who waits for it
      return asked;
    };
    let next = above(0);
    for (;;) {
      const [batch] = await next;
      if (!batch || batch.last === null || batch.records === null) break;
      next = above(batch.last);
      end.add(batch.records, batch.messages);
      yield batch.records;
    }
    yield end.line();
  } finally {
    await rolledBack(client);
  }
}
