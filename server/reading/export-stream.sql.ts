// By hand (R6): the database formats the records, many per row.
import { createHash } from 'node:crypto';
import { escapeLiteral } from 'pg';
import { setLocal } from '../db/connection.sql.js';
import { LogState } from '../db/entities/log.js';
import type { Sql, Tx } from '../db/sql.js';
import { moderationUrl } from '../http/urls.js';

/** Every change is a log entry, so the signed head is the version. */
export async function exportVersion(
  { manager }: Sql,
  baseUrl: string,
): Promise<string> {
  const head = await manager.findOne(LogState, {
    select: { checkpoint: true },
    where: { originId: 0 },
  });
  const digest = createHash('sha256')
    .update(`all.txt/v1\n${baseUrl}\n${head?.checkpoint ?? ''}`)
    .digest('base64url');
  return `"${digest.slice(0, 27)}"`;
}

/** Rows of about 100 kB. */
const PIECE = 200;

/**
 * @param tx a snapshot
 * @param begun called with the snapshot's version before the first piece
 */
export async function* exportBatches(
  tx: Tx,
  baseUrl: string,
  begun: (etag: string) => void = () => {},
): AsyncGenerator<Buffer> {
  // Between pieces it waits for the reader, whose pace is bounded there.
  await setLocal(tx, { idle_in_transaction_session_timeout: '0' });
  begun(await exportVersion(tx, baseUrl));
  const end = new ExportEnd();
  const query = piecesQuery(baseUrl);
  let reading = tx.query<Piece>(query, [0]);
  try {
    for (;;) {
      const [piece] = await reading;
      if (piece === undefined || piece.last === null) break;
      // Formats the next piece while this one is sent.
      reading = tx.query<Piece>(query, [piece.last]);
      const bytes = Buffer.from(piece.records, 'utf8');
      end.add(bytes, piece.rows);
      yield bytes;
    }
  } finally {
    // A reader may stop early: wait for the running statement.
    await reading.catch(() => {});
  }
  yield end.line();
}

type Piece = { records: string; rows: number; last: number | null };

const member = (name: string, value: string) => `'"${name}":' || ${value}`;
/** Equal to `JSON.stringify`: neither escapes more than JSON demands. */
const text = (column: string) => `coalesce(to_json(${column})::text, 'null')`;
const object = (...members: string[]) =>
  `'{' || ${members.join(` || ',' || `)} || E'}\\n'`;

/** Removed messages have these, too. */
const PLACE = [
  member('id', 'id'),
  member('root_id', 'root_id'),
  member('reply_to', "coalesce(reply_to::text, 'null')"),
  member('room', text('room')),
];
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

function piecesQuery(baseUrl: string): string {
  const addresses = moderationUrl(baseUrl, 0).slice(0, -1);
  const tombstone = object(
    ...PLACE,
    CREATED,
    member('removed', `'true'`),
    member('moderation_url', `to_json(${escapeLiteral(addresses)} || id)`),
  );
  return `SELECT string_agg(CASE
      WHEN body IS NULL THEN 'REMOVED ' || ${tombstone}
      ELSE 'MESSAGE ' || ${MESSAGE} || body || E'\\n' END, '' ORDER BY id)
      AS records, count(*)::int AS rows, max(id) AS last
    FROM (SELECT * FROM message WHERE id > $1 ORDER BY id LIMIT ${PIECE}) m`;
}

class ExportEnd {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  private messages = 0;

  add(records: Buffer, messages: number): void {
    this.hash.update(records);
    this.bytes += records.length;
    this.messages += messages;
  }

  line(): Buffer {
    const { bytes, messages } = this;
    const end = { messages, bytes, sha256: this.hash.digest('hex') };
    return Buffer.from(`END ${JSON.stringify(end)}\n`, 'utf8');
  }
}
