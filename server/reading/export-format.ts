import { createHash } from 'node:crypto';
import { escapeLiteral } from 'pg';
import { moderationUrl } from '../http/urls.js';

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
export function recordsQuery(baseUrl: string): string {
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
export class ExportEnd {
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
