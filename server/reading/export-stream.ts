import { createHash } from 'node:crypto';
import { escapeLiteral, type PoolClient } from 'pg';
import { columnOut } from '../db/copy.js';
import { rolledBack, run, type Sql } from '../db/sql.js';
import { moderationUrl } from '../http/urls.js';

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

const member = (name: string, value: string) => `'"${name}":' || ${value}`;
/** As `JSON.stringify` writes it: neither escapes more than JSON demands. */
const text = (column: string) => `coalesce(to_json(${column})::text, 'null')`;
const object = (...members: string[]) =>
  `'{' || ${members.join(` || ',' || `)} || E'}\\n'`;

/** The members that are left of a removed message too. */
const PLACE = [
  member('id', 'id'),
  member('root_id', 'root_id'),
  member('reply_to', "coalesce(reply_to::text, 'null')"),
  member('room', text('room')),
];
/** `publicTime` of a number of milliseconds. */
const CREATED = member(
  'created_at',
  `'"' || to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '"'`,
);

const MESSAGE = object(
  ...PLACE,
  member('author', text('author')),
  member('agent_id', text('agent_id')),
  member(
    'signature_status',
    `CASE WHEN agent_id IS NULL THEN '"guest"' ELSE '"signed"' END`,
  ),
  CREATED,
  member('title', text('title')),
  member('body_bytes', 'octet_length(body)'),
  member(
    'body_sha256',
    `'"' || encode(sha256(convert_to(body, 'UTF8')), 'hex') || '"'`,
  ),
);

/**
 * A query for all messages as records: formatted by the database, they pass
 * through this process as they are.
 */
function recordsQuery(baseUrl: string): string {
  const addresses = moderationUrl(baseUrl, 0).slice(0, -1);
  const tombstone = object(
    ...PLACE,
    CREATED,
    member('removed', `'true'`),
    member('moderation_url', `to_json(${escapeLiteral(addresses)} || id)`),
  );
  return `SELECT CASE
      WHEN body IS NULL THEN 'REMOVED ' || ${tombstone}
      ELSE 'MESSAGE ' || ${MESSAGE} || body || E'\\n' END
    FROM message ORDER BY id`;
}

/** Keeps what the END line says of the records before it. */
class ExportEnd {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  add(records: Buffer): void {
    this.hash.update(records);
    this.bytes += records.length;
  }

  line(messages: number): Buffer {
    const { bytes } = this;
    const end = { messages, bytes, sha256: this.hash.digest('hex') };
    return Buffer.from(`END ${JSON.stringify(end)}\n`, 'utf8');
  }
}
