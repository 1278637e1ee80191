import type { FindOptionsWhere } from 'typeorm';
import { utf8Length } from '../../../protocol/bytes.js';
import type { Content } from '../../../protocol/content.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { PULLABLE } from '../../../server/db/pullable.js';
import type { Sql, Tx } from '../../../server/db/sql.js';
import type { Limits } from '../../../server/limits.js';
import {
  PEER_LIMITS,
  type PeerLimit,
  peerLimits,
  peerOptions,
} from '../../mesh-ports.js';
import { updatePeers } from '../../peers/update-peers.js';
import type { PullSource } from '../hooks.js';
import type { Keeping } from '../verify/judged.js';
import type { ParsedLeaf } from '../verify/prepare-page.js';
import { DEGRADED_MS, type Usage } from './peer.sql.js';

type LimitColumn = (typeof PEER_LIMITS)[number]['column'];

/** Changed by others; the trigger `peer_changed` wakes the worker. */
export const DECIDED = {
  status: true,
  baseUrl: true,
  probationUntil: true,
  ...peerOptions(() => true as const),
  ...(Object.fromEntries(
    PEER_LIMITS.map(({ column }) => [column, true]),
  ) as Record<LimitColumn, true>),
} as const;

const COLUMNS = {
  ...DECIDED,
  originId: true,
  name: true,
  origin: true,
  kept: true,
  confirmedAt: true,
  lastSuccessAt: true,
  rolledBackSince: true,
  failures: true,
  retryAt: true,
  lastErrorCode: true,
  level: true,
} as const;

/** Read by its worker. */
export type PullPeer = Pick<Peer, keyof typeof COLUMNS>;

async function readPeers(
  { manager }: Sql,
  where: FindOptionsWhere<Peer>,
): Promise<PullPeer[]> {
  return await manager.find(Peer, {
    select: COLUMNS,
    where,
    order: { originId: 'ASC' },
  });
}

export async function readPullPeer(
  sql: Sql,
  originId: number,
): Promise<PullPeer | null> {
  const [peer] = await readPeers(sql, { originId });
  return peer ?? null;
}

export async function readActivePeers(sql: Sql): Promise<PullPeer[]> {
  return await readPeers(sql, PULLABLE);
}

/** By trust (spec/mesh.md §B8). */
export function keepingOf({ trust, content }: PullPeer): Keeping {
  if (trust === 'witness') return { asked: 'none', keeps: false };
  return { asked: content, keeps: trust !== 'proofs' };
}

/** `/log`, or `/log2` of a second generation. */
export function originSource(peer: PullPeer): PullSource {
  const { baseUrl, name, origin, level } = peer;
  return { baseUrl, prefix: origin.slice(name.length), level };
}

/** spec/mesh.md §B8 */
export type Degradation =
  | 'invalid_entries'
  | 'withheld_content'
  | 'clock_skew'
  | 'quota'
  | 'feed_corrupt';

export async function degrade(
  tx: Tx,
  originId: number,
  degradedReason: Degradation,
  now: number,
): Promise<void> {
  const degradedUntil = now + DEGRADED_MS;
  await updatePeers(tx, { originId }, { degradedUntil, degradedReason });
}

export type Failure = { code: string; now: number; retryAt: number };

/** The next round is at `retryAt` (spec/mesh.md §B7). */
export async function noteFailure(
  tx: Tx,
  originId: number,
  { code, now, retryAt }: Failure,
): Promise<void> {
  await updatePeers(
    tx,
    { originId },
    {
      failures: () => 'failures + 1',
      lastAttemptAt: now,
      lastErrorCode: code,
      lastErrorAt: now,
      retryAt,
      rolledBackSince:
        code === 'rolled_back'
          ? () => `coalesce(rolled_back_since, ${now})`
          : null,
    },
  );
}

/** Its log lost its history (spec/mesh.md §B8). */
export async function quarantineRolledBack(
  tx: Tx,
  originId: number,
  now: number,
): Promise<void> {
  await updatePeers(
    tx,
    { originId, ...PULLABLE },
    { status: 'quarantined', statusReason: 'rolled_back', statusAt: now },
  );
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Since the epoch. */
export const hourOf = (now: number) => Math.floor(now / HOUR_MS);

/** Quotas open at full hours. */
export function nextHour(now: number): number {
  return (hourOf(now) + 1) * HOUR_MS;
}

/** Of daily quotas (spec/mesh.md §B8). */
const PROBATION_SHARE = 0.1;

type Quotas = Record<PeerLimit, number>;

/** Its own limits, or the board's. */
export function quotasOf(
  peer: Pick<Peer, 'probationUntil' | LimitColumn>,
  limits: Limits,
  now: number,
): Quotas {
  const probation = (peer.probationUntil ?? 0) > now;
  return peerLimits(({ column, of, onProbation }) => {
    const quota = peer[column] ?? limits[of];
    return probation && onProbation
      ? Math.floor(quota * PROBATION_SHARE)
      : quota;
  });
}

function contentSize({ name, title = '', body, poll }: Content): number {
  const texts = [name, title, body, poll ? JSON.stringify(poll) : ''];
  return texts.reduce((sum, text) => sum + utf8Length(text), 0);
}

export function costOf(leaves: readonly ParsedLeaf[], now: number): Usage {
  const usage = { entries: 0, contentBytes: 0, backfillBytes: 0 };
  for (const { leaf, content, head } of leaves) {
    const text =
      content === undefined || content === null || content === 'bad'
        ? 0
        : contentSize(content);
    if ((head?.at ?? 0) > now - DAY_MS) {
      usage.entries += 1;
      usage.contentBytes += text;
    } else usage.backfillBytes += text + leaf.length;
  }
  return usage;
}

/** Fewer than `asked` at a quota's end. */
export function roomFor(
  used: Usage,
  cost: Usage,
  quotas: Quotas,
  asked: number,
): number {
  const bytes = used.contentBytes + cost.contentBytes;
  const backfill = used.backfillBytes + cost.backfillBytes;
  if (backfill > quotas.backfill_bytes_hour) return 0;
  if (bytes > quotas.content_bytes_day) return 0;
  if (used.entries + cost.entries <= quotas.entries_day) return asked;
  return Math.max(0, quotas.entries_day - used.entries);
}
