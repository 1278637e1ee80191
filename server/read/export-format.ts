import { createHash, hash } from 'node:crypto';
import { publicTime } from '../clock.js';
import { moderationUrl } from '../urls.js';

export type ExportRow = {
  id: number;
  root_id: number;
  reply_to: number | null;
  room: string;
  author: string | null;
  agent_id: string | null;
  created_at: number;
  title: string | null;
  body: string | null;
};

function messageRecord(row: ExportRow, body: string): Buffer[] {
  const bytes = Buffer.from(body, 'utf8');
  const head = {
    id: row.id,
    root_id: row.root_id,
    reply_to: row.reply_to,
    room: row.room,
    author: row.author,
    agent_id: row.agent_id,
    signature_status: row.agent_id === null ? 'guest' : 'signed',
    created_at: publicTime(row.created_at),
    title: row.title,
    body_bytes: bytes.length,
    body_sha256: hash('sha256', bytes, 'hex'),
  };
  const line = Buffer.from(`MESSAGE ${JSON.stringify(head)}\n`, 'utf8');
  return [line, bytes, Buffer.from('\n')];
}

function tombstone(row: ExportRow, baseUrl: string): Buffer {
  const { id, root_id, reply_to, room } = row;
  const line = JSON.stringify({
    id,
    root_id,
    reply_to,
    room,
    created_at: publicTime(row.created_at),
    removed: true,
    moderation_url: moderationUrl(baseUrl, id),
  });
  return Buffer.from(`REMOVED ${line}\n`, 'utf8');
}

/** Formats records and keeps what the END line says of them. */
export class ExportWriter {
  private readonly hash = createHash('sha256');
  private messages = 0;
  private bytes = 0;

  constructor(private readonly baseUrl: string) {}

  records(rows: readonly ExportRow[]): Buffer {
    const parts = rows.flatMap((row) =>
      row.body === null
        ? tombstone(row, this.baseUrl)
        : messageRecord(row, row.body),
    );
    const whole = Buffer.concat(parts);
    this.hash.update(whole);
    this.messages += rows.length;
    this.bytes += whole.length;
    return whole;
  }

  end(): Buffer {
    const { messages, bytes } = this;
    const end = { messages, bytes, sha256: this.hash.digest('hex') };
    return Buffer.from(`END ${JSON.stringify(end)}\n`, 'utf8');
  }
}
