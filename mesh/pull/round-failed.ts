import type { PullParts } from './hooks.js';
import { nextHour, type PullPeer } from './store/peer-rows.js';

/** After so long a shrunken log has lost its history (spec/mesh.md §B8). */
const ROLLED_BACK_MS = 600_000;
const FIRST_MS = 2000;
const CAP_MS = 3_600_000;
const LEAST_MS = 100;
/** Software is not replaced within the hour. */
const OTHER_PROTOCOL_MS = 86_400_000;

/**
 * In ms after `failures` in a row: full jitter under 2 s, doubled, at most an
 * hour (spec/mesh.md §B7).
 */
export function backoffMs(failures: number, random = Math.random): number {
  const cap = Math.min(CAP_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30));
  return Math.max(LEAST_MS, Math.floor(random() * cap));
}

/** Ten minutes of a smaller log quarantine the peer. */
export async function roundFailed(
  { store, clock, log, random }: PullParts,
  peer: PullPeer,
  code: string,
  retryAt?: number,
): Promise<void> {
  const now = clock.now();
  const wait =
    code === 'unsupported_protocol'
      ? OTHER_PROTOCOL_MS
      : backoffMs(peer.failures + 1, random);
  await store.failed(peer.originId, {
    code,
    now,
    retryAt: retryAt ?? now + wait,
  });
  log.debug({ origin: peer.origin, code }, 'a peer could not be pulled');
  const since = peer.rolledBackSince ?? now;
  if (code !== 'rolled_back' || now - since < ROLLED_BACK_MS) return;
  await store.quarantine(peer.originId, now);
  log.error({ origin: peer.origin }, 'a peer lost history: quarantined');
}

/** Degraded until the quota opens. */
export async function quotaEnded(
  parts: PullParts,
  peer: PullPeer,
): Promise<void> {
  const now = parts.clock.now();
  await parts.store.degrade(peer.originId, 'quota', now);
  await roundFailed(parts, peer, 'quota', nextHour(now));
}
