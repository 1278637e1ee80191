import { bigints, byteas, texts } from '../db/arrays.js';
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
     SELECT unnest($1::bytea[]), unnest($2::text[]), unnest($3::uuid[]),
       unnest($4::bytea[]), unnest($5::text[])::jsonb, unnest($6::bytea[]),
       unnest($7::bytea[]), unnest($8::text[]), unnest($9::bytea[]),
       unnest($10::bytea[]), unnest($11::bytea[]), unnest($12::bytea[]),
       unnest($13::bigint[]), unnest($14::bigint[])`,
    [
      byteas(column('hash')),
      texts(column('kind')),
      column('requestId'),
      byteas(column('contentHash')),
      texts(column('draft')),
      byteas(column('networkSalt')),
      byteas(column('networkHash')),
      texts(column('day')),
      byteas(column('yesterday')),
      byteas(column('today')),
      byteas(column('tomorrow')),
      byteas(column('answerHash')),
      bigints(column('createdAt')),
      bigints(column('expiresAt')),
    ],
  );
}
