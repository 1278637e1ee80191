import { createHash } from 'node:crypto';

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
const TOMBSTONE = object(
  ...PLACE,
  CREATED,
  member('removed', `'true'`),
  member('moderation_url', 'to_json($2 || id)'),
);

/** A batch of records, formatted by the database: what is not made of rows
 * in this process is more than half of an export's work. */
export type RecordBatch = {
  /** The last message of the batch; null behind the newest one. */
  last: number | null;
  messages: number;
  records: string | null;
};

/** $1 exclusive ID, $2 the address that a message's decisions have, up to its
 * ID, $3 how many messages. */
export const RECORDS = `
  SELECT max(id) AS last, count(*)::int AS messages,
    string_agg(record, '' ORDER BY id) AS records
  FROM (SELECT id, CASE
      WHEN body IS NULL THEN 'REMOVED ' || ${TOMBSTONE}
      ELSE 'MESSAGE ' || ${MESSAGE} || body || E'\\n' END AS record
    FROM message WHERE id > $1 ORDER BY id LIMIT $3) batch`;

/** Keeps what the END line says of the records before it. */
export class ExportEnd {
  private readonly hash = createHash('sha256');
  private messages = 0;
  private bytes = 0;

  add(records: string, messages: number): void {
    this.hash.update(records, 'utf8');
    this.messages += messages;
    this.bytes += Buffer.byteLength(records, 'utf8');
  }

  line(): string {
    const { messages, bytes } = this;
    const end = { messages, bytes, sha256: this.hash.digest('hex') };
    return `END ${JSON.stringify(end)}\n`;
  }
}
