import { Grouped } from '../db/grouped.js';
import type { Sql } from '../db/sql.js';

/** A row of `ticket` as it is written. */
export type NewTicketRow = {
  hash: Buffer;
  kind: string;
  requestId: string | null;
  contentHash: Buffer;
  draft: string;
  networkSalt: Buffer;
  networkHash: Buffer;
  day: string;
  yesterday: Buffer;
  today: Buffer;
  tomorrow: Buffer;
  answerHash: Buffer;
  createdAt: number;
  expiresAt: number;
};

/**
 * Stores tickets: those that arrive together share one wait for the disk. A
 * preview is answered only once its ticket would outlive a power cut.
 */
export class TicketDesk {
  private readonly inserts: Grouped<NewTicketRow, null>;

  constructor(sql: Sql) {
    this.inserts = new Grouped<NewTicketRow, null>(async (rows) => {
      await insertTickets(sql, rows);
      return rows.map(() => null);
    });
  }

  async store(row: NewTicketRow): Promise<void> {
    await this.inserts.add(row);
  }
}

async function insertTickets(
  sql: Sql,
  rows: readonly NewTicketRow[],
): Promise<void> {
  const column = <Key extends keyof NewTicketRow>(key: Key) =>
    rows.map((row) => row[key]);
  await sql.query(
    `INSERT INTO ticket (ticket_hash, kind, request_id, content_hash, draft,
       network_salt, network_hash, day, net_prev, net_day, net_next,
       answer_hash, created_at, expires_at)
     SELECT * FROM unnest($1::bytea[], $2::text[], $3::uuid[], $4::bytea[],
       $5::jsonb[], $6::bytea[], $7::bytea[], $8::text[], $9::bytea[],
       $10::bytea[], $11::bytea[], $12::bytea[], $13::bigint[],
       $14::bigint[])`,
    [
      column('hash'),
      column('kind'),
      column('requestId'),
      column('contentHash'),
      column('draft'),
      column('networkSalt'),
      column('networkHash'),
      column('day'),
      column('yesterday'),
      column('today'),
      column('tomorrow'),
      column('answerHash'),
      column('createdAt'),
      column('expiresAt'),
    ],
  );
}
