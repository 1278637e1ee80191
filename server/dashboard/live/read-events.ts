import type { Sql } from '../../db/sql.js';
import type { EventKind } from '../events.js';

export type StoredEvent = {
  seq: number;
  at: number;
  kind: Exclude<EventKind, 'snapshot'>;
  payload: object;
};

/** The events behind a cursor, in order. */
export async function readEvents(
  sql: Sql,
  after: number,
): Promise<StoredEvent[]> {
  return await sql.query<StoredEvent>(
    `SELECT seq, at, kind, payload FROM admin_event WHERE seq > $1
     ORDER BY seq LIMIT 500`,
    [after],
  );
}

/** The last number given, and the lowest cursor that can still go on. */
export async function eventBounds(
  sql: Sql,
): Promise<{ last: number; oldest: number }> {
  const [row] = await sql.query<{ last: number; oldest: number | null }>(
    `SELECT last_id AS last, (SELECT min(seq) - 1 FROM admin_event) AS oldest
     FROM stream WHERE name = 'admin_events'`,
  );
  if (row === undefined) throw new Error('the stream of events is missing');
  return { last: row.last, oldest: row.oldest ?? row.last };
}
