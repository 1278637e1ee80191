import { raiseAlarm } from '../../server/operations/alerts.js';
import type { WitnessParts } from './witness-parts.js';

const PATIENCE_MS = 600_000;
const DEGRADED_MS = 86_400_000;

type Parts = Pick<WitnessParts, 'writes' | 'clock' | 'log'>;

/**
 * A view that nobody explains; ten minutes of it quarantine (spec/mesh.md §B8).
 */
export async function markUnresolved(
  { writes, clock }: Parts,
  originId: number,
): Promise<void> {
  await writes.query(
    `UPDATE peer SET unresolved_since = coalesce(unresolved_since, $2)
     WHERE origin_id = $1 AND status = 'active'`,
    [originId, clock.now()],
  );
}

export async function clearUnresolved(
  { writes }: Parts,
  originId: number,
): Promise<void> {
  await writes.query(
    `UPDATE peer SET unresolved_since = NULL
     WHERE origin_id = $1 AND unresolved_since IS NOT NULL`,
    [originId],
  );
}

/**
 * The peer goes on, marked for 24 hours without a new fault (spec/mesh.md
 * §B13).
 */
export async function markDegraded(
  { writes, clock }: Parts,
  { originId, origin }: { originId: number; origin: string },
  reason: string,
): Promise<void> {
  const now = clock.now();
  await writes.query(
    `UPDATE peer SET degraded_until = $2, degraded_reason = $3
     WHERE origin_id = $1`,
    [originId, now + DEGRADED_MS, reason],
  );
  const detail = `The peer of ${origin} is degraded: ${reason}.`;
  await raiseAlarm(
    writes,
    { kind: 'peer_degraded', subject: origin, detail },
    now,
  );
}

/**
 * Quarantines whoever has been rolled back, or seen with a view that nobody
 * explains, for ten minutes. Neither is final: `peer resume` ends it.
 */
export async function quarantineDoubtful(parts: Parts): Promise<number> {
  const { writes, clock, log } = parts;
  const now = clock.now();
  const rows = await writes.query<{ origin: string; status_reason: Reason }>(
    `UPDATE peer SET status = 'quarantined', status_at = $1,
       status_reason = CASE WHEN rolled_back_since <= $2 THEN 'rolled_back'
         ELSE 'unresolved_view' END
     WHERE status = 'active'
       AND (rolled_back_since <= $2 OR unresolved_since <= $2)
     RETURNING origin, status_reason`,
    [now, now - PATIENCE_MS],
  );
  for (const { origin, status_reason: kind } of rows) {
    log.error({ origin, kind }, 'a peer was quarantined');
    const detail = `The peer of ${origin} is quarantined: ${kind}; "peer resume" ends it once its operator has explained.`;
    await raiseAlarm(writes, { kind, subject: origin, detail }, now);
  }
  return rows.length;
}

type Reason = 'rolled_back' | 'unresolved_view';
