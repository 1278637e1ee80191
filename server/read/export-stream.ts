import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { rolledBack, run, type Sql } from '../db/sql.js';
import { type ExportRow, ExportWriter } from './export-format.js';

const BATCH = 500;
/** How long the reader of one batch may take before the snapshot is given up. */
const PAUSE_MS = 60_000;

const ROWS = `SELECT id, root_id, reply_to, room, author, agent_id, created_at,
    title, body
  FROM message WHERE id > $1 ORDER BY id LIMIT ${BATCH}`;

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
 * The bytes of /all.txt, batch by batch, of one snapshot. Whoever stops early
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
    await client.query(
      `SET LOCAL idle_in_transaction_session_timeout = ${PAUSE_MS}`,
    );
    const sql: Sql = { query: (text, values) => run(client, text, values) };
    begun(await exportVersion(sql, baseUrl));
    const writer = new ExportWriter(baseUrl);
    // The database reads one batch while the one before is written.
    const above = (last: number) => {
      const asked = run<ExportRow>(client, ROWS, [last]);
      asked.catch(() => {}); // nobody may be left who waits for it
      return asked;
    };
    let next = above(0);
    for (;;) {
      const rows = await next;
      const last = rows.at(-1);
      if (last === undefined) break;
      next = above(last.id);
      yield writer.records(rows);
    }
    yield writer.end();
  } finally {
    await rolledBack(client);
  }
}
