import { AdminPending } from './entities/dashboard.js';
import type { NotedEvents, NotedKind } from './live-events.js';
import type { Tx } from './sql.js';

/** In the causing transaction; numbered later, so that no write waits. */
export async function noteEvent<Kind extends NotedKind>(
  { manager }: Tx,
  kind: Kind,
  ...payloads: NotedEvents[Kind][]
): Promise<void> {
  if (payloads.length === 0) return;
  const rows = payloads.map((payload) => ({ kind, payload }));
  await manager.insert(AdminPending, rows);
}

/**
 * For statements by hand: `INSERT INTO admin_pending (kind, payload)
 * ${eventRows(…)}`.
 * @param members the SQL expression of each member; none may be left out
 * @param from what follows FROM: one event per row
 */
export function eventRows<Kind extends NotedKind>(
  kind: Kind,
  members: Record<keyof NotedEvents[Kind] & string, string>,
  from: string,
): string {
  const pairs = Object.entries(members).map(
    ([name, expression]) => `'${name}', ${expression}`,
  );
  return `SELECT '${kind}', jsonb_build_object(${pairs.join(', ')}) FROM ${from}`;
}
