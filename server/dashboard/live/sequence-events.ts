import { ADMIN_NOTIFICATIONS } from '../../db/notifications.js';
import type { Database, Tx } from '../../db/sql.js';
import type { EventKind } from '../events.js';

/** So many stay for dashboards that lost their connection. */
const KEEP = 20_000;
/** As many notes at most are taken by one call. */
export const EVENTS_AT_ONCE = 2000;

type Pending = { kind: EventKind; payload: Record<string, unknown> };

/** What says the same of the same thing again counts once, the last one. */
function sameThing({ kind, payload }: Pending): string | null {
  if (kind === 'rating') return `rating ${payload.message_id}`;
  return kind === 'job' ? `job ${payload.name}` : null;
}

function withoutRepeats(pending: readonly Pending[]): Pending[] {
  const last = new Map<string, Pending>();
  for (const it of pending) {
    const name = sameThing(it);
    if (name !== null) last.set(name, it);
  }
  return pending.filter((it) => {
    const name = sameThing(it);
    return name === null || last.get(name) === it;
  });
}

/**
 * Gives what triggers have noted its place in the one order of events, under
 * the stream's lock to the end of the transaction: a number that is visible
 * has no earlier one behind it. A note and its event are one or the other,
 * never both and never neither.
 *
 * @returns how many notes were taken.
 */
export async function numberEvents(db: Database, now: number): Promise<number> {
  const [row] = await db.query<{ some: boolean }>(
    'SELECT EXISTS (SELECT FROM admin_pending) AS some',
  );
  if (row?.some !== true) return 0;
  return await db.transaction((tx) => numberIn(tx, now));
}

async function numberIn(tx: Tx, now: number): Promise<number> {
  const [head] = await tx.query<{ last_id: number }>(
    "SELECT last_id FROM stream WHERE name = 'admin_events' FOR UPDATE",
  );
  if (head === undefined) throw new Error('the stream of events is missing');
  const taken = await tx.query<Pending>(
    `DELETE FROM admin_pending WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM admin_pending LIMIT ${EVENTS_AT_ONCE}))
     RETURNING kind, payload`,
  );
  const events = withoutRepeats(taken);
  if (events.length === 0) return 0;
  const last = head.last_id + events.length;
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
      last,
      now,
      head.last_id,
      events.map(({ kind }) => kind),
      events.map(({ payload }) => JSON.stringify(payload)),
    ],
  );
  return taken.length;
}
