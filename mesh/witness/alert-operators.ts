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

/**
 * Alerts operators to peers that became degraded by what they serve, were
 * stopped for it, or show a new address that waits to be confirmed (spec/mesh.md
 * §B1, §B7). Ends the alerts of peers of which this is no longer true.
 */
export async function alertOperators(parts: Parts): Promise<void> {
  const { writes } = parts;
  const peers = await selectPeers(writes).getMany();
  const alerts = await writes.manager.find(Alarm, {
    where: { kind: In(['peer_degraded', 'rolled_back', 'peer_address']) },
  });
  await alertDegraded(parts, peers, alerts);
  await alertRolledBack(parts, peers, alerts);
  await alertMoved(parts, peers, alerts);
}

function openSubjects(alerts: readonly Alarm[], of: string): Set<string> {
  const open = alerts.filter(
    ({ kind, clearedAt }) => kind === of && clearedAt === null,
  );
  return new Set(open.map(({ subject }) => subject));
}

async function alertDegraded(
  { writes, clock }: Parts,
  peers: readonly Peer[],
  alerts: readonly Alarm[],
): Promise<void> {
  const now = clock.now();
  const kind = 'peer_degraded';
  const open = openSubjects(alerts, kind);
  const degraded = peers.filter(
    ({ status, degradedUntil: until }) =>
      status === 'active' && until !== null && until > now,
  );
  for (const { origin, degradedReason: reason } of degraded) {
    if (open.delete(origin)) continue;
    const detail = `The peer of ${origin} is degraded: ${reason ?? 'unknown'}. It goes on; "peer list" shows its counts.`;
    await raiseAlert(writes, { kind, subject: origin, detail }, now);
  }
  // These are well again.
  for (const subject of open) await clearAlert(writes, { kind, subject }, now);
}

/** Peers that the pull loop itself has stopped. */
async function alertRolledBack(
  { writes, clock }: Parts,
  peers: readonly Peer[],
  alerts: readonly Alarm[],
): Promise<void> {
  const kind = 'rolled_back';
  const open = openSubjects(alerts, kind);
  for (const { origin, status, statusReason } of peers) {
    if (status !== 'quarantined' || statusReason !== kind) continue;
    if (open.has(origin)) continue;
    const detail = `The peer of ${origin} is quarantined: its log lost history; "peer resume" ends it once its operator has explained.`;
    await raiseAlert(writes, { kind, subject: origin, detail }, clock.now());
  }
}

async function alertMoved(
  { writes, clock }: Parts,
  peers: readonly Peer[],
  alerts: readonly Alarm[],
): Promise<void> {
  const now = clock.now();
  const kind = 'peer_address';
  const open = openSubjects(alerts, kind);
  for (const peer of peers) {
    const detail = movedText(peer);
    if (detail === null) continue;
    const { name: subject } = peer;
    const before = alerts.find(
      (alert) => alert.kind === kind && alert.subject === subject,
    );
    const isOpen = open.delete(subject);
    if (isOpen && before?.detail === detail) continue;
    const rested =
      before === undefined || Math.abs(now - before.lastAt) >= MOVED_EVERY_MS;
    if (rested) await raiseAlert(writes, { kind, subject, detail }, now);
  }
  for (const subject of open) await clearAlert(writes, { kind, subject }, now);
}
