import { clearAlarm, raiseAlarm } from '../../server/operations/alerts.js';
import type { WitnessParts } from './witness-parts.js';

type Told = { origin: string; reason: string };

const DEGRADED = `SELECT p.origin, coalesce(p.degraded_reason, 'unknown') AS reason
  FROM peer p
  WHERE p.status = 'active' AND p.degraded_until > $1 AND NOT EXISTS (
    SELECT FROM alarm a WHERE a.kind = 'peer_degraded'
      AND a.subject = p.origin AND a.cleared_at IS NULL)`;

const WELL_AGAIN = `SELECT a.subject AS origin, '' AS reason FROM alarm a
  WHERE a.kind = 'peer_degraded' AND a.cleared_at IS NULL AND NOT EXISTS (
    SELECT FROM peer p WHERE p.origin = a.subject AND p.status = 'active'
      AND p.degraded_until > $1)`;

/** Those whom the pull loop itself has stopped. */
const STOPPED = `SELECT p.origin, p.status_reason AS reason FROM peer p
  WHERE p.status = 'quarantined' AND p.status_reason = 'rolled_back'
    AND NOT EXISTS (SELECT FROM alarm a WHERE a.kind = p.status_reason
      AND a.subject = p.origin AND a.cleared_at IS NULL)`;

/**
 * Alerts operators to peers that became degraded by what they serve, or were
 * stopped for it, whoever found it out (spec/mesh.md §B7), and ends the alarms
 * of those that are well again.
 */
export async function tellOperators({
  writes,
  clock,
}: Pick<WitnessParts, 'writes' | 'clock'>): Promise<void> {
  const now = clock.now();
  const degraded = await writes.query<Told>(DEGRADED, [now]);
  for (const { origin, reason } of degraded) {
    const detail = `The peer of ${origin} is degraded: ${reason}. It goes on; "peer list" shows its counts.`;
    const alarm = { kind: 'peer_degraded', subject: origin, detail } as const;
    await raiseAlarm(writes, alarm, now);
  }
  const well = await writes.query<Told>(WELL_AGAIN, [now]);
  for (const { origin } of well) {
    const alarm = { kind: 'peer_degraded', subject: origin } as const;
    await clearAlarm(writes, alarm, now);
  }
  for (const { origin } of await writes.query<Told>(STOPPED)) {
    const detail = `The peer of ${origin} is quarantined: its log lost history; "peer resume" ends it once its operator has explained.`;
    const alarm = { kind: 'rolled_back', subject: origin, detail } as const;
    await raiseAlarm(writes, alarm, now);
  }
}
