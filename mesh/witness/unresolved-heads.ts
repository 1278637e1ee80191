import { IsNull, LessThanOrEqual, Not } from 'typeorm';
import { Peer } from '../../server/db/entities/peer.js';
import { PULLABLE } from '../../server/db/pullable.js';
import { raiseAlert } from '../../server/operations/index.js';
import { updatePeers } from '../peers/update-peers.js';
import { type Degradation, degrade } from '../pull/store/peer-rows.js';
import { quarantineText } from './alert-operators.js';
import type { WitnessParts } from './known-logs.js';

const PATIENCE_MS = 600_000;

type Parts = Pick<WitnessParts, 'writes' | 'clock' | 'log'>;

/** After ten minutes its peer is quarantined (spec/mesh.md §B8). */
export async function markUnresolved(
  { writes, clock }: Parts,
  originId: number,
): Promise<void> {
  await writes.manager.update(
    Peer,
    { originId, ...PULLABLE, unresolvedSince: IsNull() },
    { unresolvedSince: clock.now() },
  );
}

export async function clearUnresolved(
  { writes }: Parts,
  originId: number,
): Promise<void> {
  await writes.manager.update(
    Peer,
    { originId, unresolvedSince: Not(IsNull()) },
    { unresolvedSince: null },
  );
}

/** For 24 hours after the last fault (spec/mesh.md §B8.3). */
export async function markDegraded(
  { writes, clock }: Parts,
  { originId, origin }: { originId: number; origin: string },
  reason: Degradation,
): Promise<void> {
  const now = clock.now();
  await writes.transaction((tx) => degrade(tx, originId, reason, now));
  const detail = `The peer of ${origin} is degraded: ${reason}.`;
  const alert = { kind: 'peer_degraded', subject: origin, detail } as const;
  await raiseAlert(writes, alert, now);
}

/** Reason and time; the first that is set counts. */
const UNEXPLAINED = [
  ['rolled_back', 'rolledBackSince'],
  ['unresolved_view', 'unresolvedSince'],
] as const;

/** After ten minutes; `peer resume` ends it. */
export async function quarantineUnresolved({
  writes,
  clock,
  log,
}: Parts): Promise<void> {
  const now = clock.now();
  const since = LessThanOrEqual(now - PATIENCE_MS);
  for (const [kind, column] of UNEXPLAINED) {
    const due = { ...PULLABLE, [column]: since };
    // A COMMIT each round would invalidate cached answers.
    if (!(await writes.manager.existsBy(Peer, due))) continue;
    const peers = await writes.transaction((tx) =>
      updatePeers(tx, due, {
        status: 'quarantined',
        statusAt: now,
        statusReason: kind,
      }),
    );
    for (const { origin } of peers) {
      log.error({ origin, kind }, 'a peer was quarantined');
      const detail = quarantineText(kind, origin);
      await raiseAlert(writes, { kind, subject: origin, detail }, now);
    }
  }
}
