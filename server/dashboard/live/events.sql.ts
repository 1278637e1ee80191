// By hand: a bounded DELETE … RETURNING, and a batch of events with its
// notification in one statement.
import type { NotedKind } from '../../db/live-events.js';
import { ADMIN_NOTIFICATIONS } from '../../db/notifications.js';
import type { Tx } from '../../db/sql.js';

/** For dashboards that lost their connection. */
const KEEP = 20_000;
/** Per call. */
export const EVENTS_AT_ONCE = 2000;

export type PendingEvent = {
  kind: NotedKind;
  payload: Record<string, unknown>;
};

export async function takePending(tx: Tx): Promise<PendingEvent[]> {
  return await tx.query<PendingEvent>(
    `DELETE FROM admin_pending WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM admin_pending LIMIT ${EVENTS_AT_ONCE}))
     RETURNING kind, payload`,
  );
}

export async function writeEvents(
  tx: Tx,
  events: readonly PendingEvent[],
  last: number,
  now: number,
): Promise<void> {
  await tx.query(
    `WITH moved AS (
       UPDATE stream SET last_id = $1, last_at = greatest(last_at, $2)
       WHERE name = 'admin_events'
     ), old AS (
       DELETE FROM admin_event WHERE seq <= $1 - ${KEEP}
     ), new AS (
       INSERT INTO admin_event (seq, at, kind, payload)
       SELECT $3 + n, $2, kind, payload::jsonb
       FROM unnest($4::text[], $5::text[]) WITH ORDINALITY
         AS e (kind, payload, n)
     )
     SELECT pg_notify('${ADMIN_NOTIFICATIONS}', '')`,
    [
      ...[last + events.length, now, last],
      events.map(({ kind }) => kind),
      events.map(({ payload }) => JSON.stringify(payload)),
    ],
  );
}
