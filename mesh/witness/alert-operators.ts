import { In } from 'typeorm';
import { Alarm } from '../../server/db/entities/operations.js';
import type { Peer } from '../../server/db/entities/peer.js';
import { clearAlert, raiseAlert } from '../../server/operations/index.js';
import { movedText } from '../peers/adopt-identity.js';
import { selectPeers } from '../peers/peers.sql.js';
import type { WitnessParts } from './known-logs.js';

/** A peer that moves every minute calls for an operator once in so long. */
const MOVED_EVERY_MS = 3_600_000;

type Parts = Pick<WitnessParts, 'writes' | 'clock'>;

const KINDS = ['peer_degraded', 'rolled_back', 'peer_address'] as const;
type Due = { kind: (typeof KINDS)[number]; subject: string; detail: string };

/**
 * Alerts operators to peers that became degraded by what they serve, were
 * stopped for it, or show a new address that waits to be confirmed (spec/mesh.md
 * §B1, §B7). Ends the alerts of peers of which this is no longer true, but for
 * lost history, which an operator ends.
 */
export async function alertOperators(parts: Parts): Promise<void> {
  const { writes, clock } = parts;
  const now = clock.now();
  const peers = await selectPeers(writes).getMany();
  const alerts = await writes.manager.find(Alarm, {
    where: { kind: In([...KINDS]) },
  });
  const due = peers.flatMap((peer) => dueOf(peer, now));
  for (const one of due) {
    const { kind, subject, detail } = one;
    const before = alerts.find(
      (alert) => alert.kind === kind && alert.subject === subject,
    );
    const moves = kind === 'peer_address';
    const isOpen = before?.clearedAt === null;
    if (isOpen && (!moves || before.detail === detail)) continue;
    const rested = Math.abs(now - (before?.lastAt ?? -Infinity));
    if (moves && rested < MOVED_EVERY_MS) continue;
    await raiseAlert(writes, one, now);
  }
  for (const { kind, subject, clearedAt } of alerts) {
    const isDue = due.some(
      (one) => one.kind === kind && one.subject === subject,
    );
    if (clearedAt !== null || isDue || kind === 'rolled_back') continue;
    await clearAlert(writes, { kind: kind as Due['kind'], subject }, now);
  }
}

/** What an operator should know of a peer now. */
function dueOf(peer: Peer, now: number): Due[] {
  const { origin: subject, status, degradedUntil, degradedReason } = peer;
  const due: Due[] = [];
  if (status === 'active' && (degradedUntil ?? 0) > now) {
    const detail = `The peer of ${subject} is degraded: ${degradedReason ?? 'unknown'}. It goes on; "peer list" shows its counts.`;
    due.push({ kind: 'peer_degraded', subject, detail });
  }
  if (status === 'quarantined' && peer.statusReason === 'rolled_back') {
    const detail = `The peer of ${subject} is quarantined: its log lost history; "peer resume" ends it once its operator has explained.`;
    due.push({ kind: 'rolled_back', subject, detail });
  }
  const detail = movedText(peer);
  if (detail !== null) {
    due.push({ kind: 'peer_address', subject: peer.name, detail });
  }
  return due;
}
