import type { Sql } from '../../server/db/sql.js';
import { backoffMs } from './fetch/backoff.js';
import type { PullParts } from './pull-parts.js';
import type { PullPeer } from './store/pull-peer-row.js';
import { nextHour } from './store/usage.js';

/** A log that shrank for so long has lost its history (spec/mesh.md §B8). */
const ROLLED_BACK_MS = 600_000;

/**
 * Persists a failed round and when the next one is due; a peer that shows a
 * smaller log for ten minutes is quarantined.
 */
export async function roundFailed(
  { store, clock, log, random }: PullParts,
  peer: PullPeer,
  code: string,
  retryAt?: number,
): Promise<void> {
  const now = clock.now();
  await store.failed(peer.origin_id, {
    code,
    now,
    retryAt: retryAt ?? now + backoffMs(peer.failures + 1, random),
  });
  log.debug({ origin: peer.origin, code }, 'a peer could not be pulled');
  const since = peer.rolled_back_since ?? now;
  if (code !== 'rolled_back' || now - since < ROLLED_BACK_MS) return;
  await store.quarantine(peer.origin_id, now);
  log.error({ origin: peer.origin }, 'a peer lost history: quarantined');
}

/** Stops what is pulled from a peer whose log lost its history (B8). */
export async function quarantineRolledBack(
  sql: Sql,
  originId: number,
  now: number,
): Promise<void> {
  await sql.query(
    `UPDATE peer SET status = 'quarantined', status_reason = 'rolled_back',
       status_at = $2
     WHERE origin_id = $1 AND status = 'active'`,
    [originId, now],
  );
}

/** A quota of the peer is used up: shown as degraded until it opens again. */
export async function quotaEnded(
  parts: PullParts,
  peer: PullPeer,
): Promise<void> {
  const now = parts.clock.now();
  await parts.store.degrade(peer.origin_id, 'quota', now);
  await roundFailed(parts, peer, 'quota', nextHour(now));
}

/**
 * A page that is none, or not the one that was asked for: shown as degraded
 * for a day, or until "peer resume" (spec/mesh.md §B7 step 3, B8).
 */
export async function pageCorrupt(
  { store, clock }: PullParts,
  peer: PullPeer,
): Promise<void> {
  await store.degrade(peer.origin_id, 'feed_corrupt', clock.now());
}
