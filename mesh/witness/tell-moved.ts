import {
  type Alarm,
  type AlarmKind,
  clearAlarm,
  raiseAlarm,
} from '../../server/operations/alerts.js';
import { movedText } from '../peers/moved.js';
import type { WitnessParts } from './witness-parts.js';

const KIND: AlarmKind = 'peer_address';
/** A peer that moves every minute calls for an operator once in so long. */
const EVERY_MS = 3_600_000;

type Row = {
  name: string;
  base_url: string;
  pending_identity: string | null;
  detail: string | null;
  last_at: number | null;
  open: boolean;
};

/** Peers whose identity waits, and alarms that stand, whichever there is. */
const ROWS = `SELECT coalesce(p.name, a.subject) AS name,
    coalesce(p.base_url, '') AS base_url, p.pending_identity, a.detail,
    a.last_at, a.subject IS NOT NULL AND a.cleared_at IS NULL AS open
  FROM (SELECT * FROM peer WHERE pending_identity IS NOT NULL) p
  FULL JOIN (SELECT * FROM alarm WHERE kind = $1) a ON a.subject = p.name
  WHERE p.name IS NOT NULL OR a.cleared_at IS NULL`;

/**
 * Alerts operators to peers whose new address waits for them (spec/mesh.md
 * §B1), and ends the alarms of those of which none does any more.
 */
export async function tellMoved({
  writes,
  clock,
}: Pick<WitnessParts, 'writes' | 'clock'>): Promise<void> {
  const now = clock.now();
  for (const row of await writes.query<Row>(ROWS, [KIND])) {
    const detail = movedText(row);
    const alarm = { kind: KIND, subject: row.name };
    if (detail === null) {
      if (row.open) await clearAlarm(writes, alarm, now);
    } else if (isNews(row, detail, now)) {
      await raiseAlarm(writes, { ...alarm, detail } satisfies Alarm, now);
    }
  }
}

function isNews(row: Row, detail: string, now: number): boolean {
  if (row.open && row.detail === detail) return false;
  return row.last_at === null || Math.abs(now - row.last_at) >= EVERY_MS;
}
