import { IsNull, Not } from 'typeorm';
import { Peer } from '../../server/db/entities/peer.js';
import { raiseAlert } from '../../server/operations/index.js';
import type { WitnessParts } from './known-logs.js';

const PATIENCE_MS = 600_000;
const DEGRADED_MS = 86_400_000;

type Parts = Pick<WitnessParts, 'writes' | 'clock' | 'log'>;

/**
 * Notes since when a log shows a head that nothing explains; after ten minutes
 * its peer is quarantined (spec/mesh.md §B8).
 */
export async function markUnresolved(
  { writes, clock }: Parts,
  originId: number,
): Promise<void> {
  await writes.manager.update(
    Peer,
    { originId, status: 'active', unresolvedSince: IsNull() },
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
  await writes.manager.update(
    Peer,
    { originId },
    { degradedUntil: now + DEGRADED_MS, degradedReason: reason },
  );
  const detail = `The peer of ${origin} is degraded: ${reason}.`;
  const alert = { kind: 'peer_degraded', subject: origin, detail } as const;
  await raiseAlert(writes, alert, now);
}

type Quarantined = {
  origin: string;
  status_reason: 'rolled_back' | 'unresolved_view';
};

/**
 * Quarantines each peer that for ten minutes has been rolled back, or seen with
 * a head that nothing explains. Neither is final: `peer resume` ends it.
 */
export async function quarantineUnresolved(parts: Parts): Promise<number> {
  const { writes, clock, log } = parts;
  const now = clock.now();
  const { raw } = await writes.manager
    .createQueryBuilder()
    .update(Peer)
    .set({
      status: 'quarantined',
      statusAt: now,
      statusReason: () =>
        "CASE WHEN rolled_back_since <= :since THEN 'rolled_back' ELSE 'unresolved_view' END",
    })
    .where("status = 'active'")
    .andWhere('(rolled_back_since <= :since OR unresolved_since <= :since)')
    .setParameter('since', now - PATIENCE_MS)
    .returning(['origin', 'statusReason'])
    .execute();
  const rows = raw as Quarantined[];
  for (const { origin, status_reason: kind } of rows) {
    log.error({ origin, kind }, 'a peer was quarantined');
    const detail = `The peer of ${origin} is quarantined: ${kind}; "peer resume" ends it once its operator has explained.`;
    await raiseAlert(writes, { kind, subject: origin, detail }, now);
  }
  return rows.length;
}
