import { In } from 'typeorm';
import { Alarm } from '../../server/db/entities/operations.js';
import type { Peer } from '../../server/db/entities/peer.js';
import { isPullable } from '../../server/db/pullable.js';
import { clearAlert, raiseAlert } from '../../server/operations/index.js';
import { movedText } from '../peers/adopt-identity.js';
import { selectPeers } from '../peers/peers.sql.js';
import type { WitnessParts } from './known-logs.js';

/** For peers that move all the time. */
const MOVED_EVERY_MS = 3_600_000;

type Parts = Pick<WitnessParts, 'writes' | 'clock' | 'guard' | 'board'>;

const KINDS = [
  'peer_degraded',
  'rolled_back',
  'unresolved_view',
  'equivocation',
  'peer_address',
] as const;
type Due = { kind: (typeof KINDS)[number]; subject: string; detail: string };

/** A head under our key that is not shown again is over. */
const SHOWN_MS = 600_000;

/** Also ends alerts that are no longer true (spec/mesh.md §B1, §B7). */
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
  for (const { kind, subject, clearedAt, settledDetail } of alerts) {
    const isDue = due.some(
      (one) => one.kind === kind && one.subject === subject,
    );
    if ((clearedAt !== null && settledDetail === null) || isDue) continue;
    await clearAlert(writes, { kind: kind as Due['kind'], subject }, now);
  }
  await endOwnKeyAlerts(parts, now);
}

/**
 * Over when no peer has shown such a head for ten minutes and the guard is open
 * (as after `log restore`), or a new generation began. Evidence lasts until
 * then.
 */
async function endOwnKeyAlerts(
  { writes, guard, board }: Parts,
  now: number,
): Promise<void> {
  const kind = 'own_key_compromise';
  const alerts = await writes.manager.findBy(Alarm, { kind });
  for (const { subject, detail, clearedAt, settledDetail } of alerts) {
    if (clearedAt !== null && settledDetail === null) continue;
    const isPresent = subject === board.origin;
    if (
      isPresent &&
      (guard.closed !== null || detail === twoHistories(subject))
    )
      continue;
    const until = isPresent ? now - SHOWN_MS : null;
    await clearAlert(writes, { kind, subject }, now, until);
  }
}

export function twoHistories(origin: string): string {
  return `Evidence shows two histories of ${origin} under this board's own log key: somebody else has it, or an old backup was signed on.`;
}

export function quarantineText(kind: string, origin: string): string {
  if (kind === 'equivocation') {
    return `${origin} signed two histories; its peer is quarantined for good.`;
  }
  const why =
    kind === 'rolled_back'
      ? 'its log lost history'
      : 'it showed a head that nothing explains';
  return `The peer of ${origin} is quarantined: ${why}; "peer resume" ends it once its operator has explained.`;
}

function dueOf(peer: Peer, now: number): Due[] {
  const { origin: subject, status, degradedUntil, degradedReason } = peer;
  const due: Due[] = [];
  if (isPullable(peer) && (degradedUntil ?? 0) > now) {
    const detail = `The peer of ${subject} is degraded: ${degradedReason ?? 'unknown'}. It goes on; "peer list" shows its counts.`;
    due.push({ kind: 'peer_degraded', subject, detail });
  }
  const { statusReason: reason } = peer;
  const kind = KINDS.find((one) => one === reason);
  if (status === 'quarantined' && kind !== undefined) {
    due.push({ kind, subject, detail: quarantineText(kind, subject) });
  }
  const detail = movedText(peer);
  if (detail !== null) {
    due.push({ kind: 'peer_address', subject: peer.name, detail });
  }
  return due;
}
