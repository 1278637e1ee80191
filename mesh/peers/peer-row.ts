import type { Sql, Tx } from '../../server/db/sql.js';
import { originOfUrl } from '../pull/fetch/peer-address.js';

export const TRUSTS = ['witness', 'proofs', 'mirror', 'relay'] as const;
export type Trust = (typeof TRUSTS)[number];

/** What an operator or verified evidence has decided (spec/mesh.md §B8). */
export type KeptStatus =
  | 'pending'
  | 'active'
  | 'paused'
  | 'quarantined'
  | 'blocked';

/** A row of `peer`, as it stands; times in ms. */
export type PeerRow = {
  origin_id: number;
  name: string;
  origin: string;
  base_url: string;
  log_vkey: string;
  mirror_vkey: string;
  node_vkey: string;
  identity: string;
  identity_seq: number;
  pending_identity: string | null;
  added_at: number;
  confirmed_at: number | null;
  status: KeptStatus;
  status_reason: string | null;
  trust: Trust;
  content: 'signed' | 'all';
  decisions: 'annotate' | 'follow';
  probation_until: number | null;
  entries_day: number | null;
  content_bytes_day: number | null;
  backfill_bytes_hour: number | null;
  degraded_until: number | null;
  degraded_reason: string | null;
  rolled_back_since: number | null;
  unresolved_since: number | null;
  invalid_entries: number;
  withheld_contents: number;
  last_attempt_at: number | null;
  last_success_at: number | null;
  failures: number;
  retry_at: number | null;
  last_error_code: string | null;
  last_error_at: number | null;
  remote_size: number | null;
  remote_seen_at: number | null;
  acked_size: number;
  acked_at: number | null;
  apply_ms: number[];
  /** Of the mirrored log; null before it is opened. */
  mirrored_size: number | null;
  last_checkpoint: string | null;
  evidence: string[];
};

const COLUMNS = `p.origin_id, p.name, p.origin, p.base_url, p.log_vkey,
  p.mirror_vkey, p.node_vkey, p.identity, p.identity_seq, p.pending_identity,
  p.added_at, p.confirmed_at, p.status, p.status_reason, p.trust, p.content,
  p.decisions, p.probation_until, p.entries_day, p.content_bytes_day,
  p.backfill_bytes_hour, p.degraded_until, p.degraded_reason,
  p.rolled_back_since, p.unresolved_since, p.invalid_entries,
  p.withheld_contents, p.last_attempt_at, p.last_success_at, p.failures,
  p.retry_at, p.last_error_code, p.last_error_at, p.remote_size,
  p.remote_seen_at, p.acked_size, p.acked_at, p.apply_ms,
  s.size AS mirrored_size`;

/** The newest head that our mirror key signed; else the newest verified. */
const CHECKPOINT = `coalesce(
    (SELECT k.note || c.line FROM log_cosignature c
       JOIN log_checkpoint k ON k.origin_id = c.origin_id AND k.size = c.size
     WHERE c.origin_id = p.origin_id AND c.vkey = $1
     ORDER BY c.size DESC LIMIT 1),
    CASE WHEN s.size > 0 THEN s.checkpoint END) AS last_checkpoint`;

const EVIDENCE = `ARRAY(SELECT encode(e.sha256, 'hex') FROM evidence e
    WHERE e.origin = p.origin ORDER BY e.at) AS evidence`;

const FROM = `SELECT ${COLUMNS}, ${CHECKPOINT}, ${EVIDENCE}
  FROM peer p LEFT JOIN log_state s ON s.origin_id = p.origin_id`;

/** Every peer by name; `mirrorVkey` is our own cosigner's. */
export async function readPeers(
  sql: Sql,
  mirrorVkey: string,
): Promise<PeerRow[]> {
  return await sql.query<PeerRow>(`${FROM} ORDER BY p.name, p.origin_id`, [
    mirrorVkey,
  ]);
}

/** One peer by its board name or its address, as an operator names it. */
export async function findPeer(
  sql: Sql,
  mirrorVkey: string,
  nameOrUrl: string,
): Promise<PeerRow | null> {
  const [row] = await sql.query<PeerRow>(
    `${FROM} WHERE p.name = $2 OR p.base_url = $3 OR p.origin = $2`,
    [mirrorVkey, nameOrUrl, originOfUrl(nameOrUrl)],
  );
  return row ?? null;
}

/** The columns of a {@link PinnedPeer}. */
export const PINNED = `origin_id, name, origin, log_vkey, base_url, identity,
  identity_seq, pending_identity`;

/**
 * What of a peer decides whether a shown identity is accepted, locked: one is
 * looked at after the other.
 */
export async function lockPeer(
  tx: Tx,
  originId: number,
): Promise<PinnedPeer | null> {
  const [row] = await tx.query<PinnedPeer>(
    `SELECT ${PINNED} FROM peer
     WHERE origin_id = $1 AND status <> 'blocked' FOR NO KEY UPDATE`,
    [originId],
  );
  return row ?? null;
}

export type PinnedPeer = Pick<
  PeerRow,
  | 'origin_id'
  | 'name'
  | 'origin'
  | 'log_vkey'
  | 'base_url'
  | 'identity'
  | 'identity_seq'
  | 'pending_identity'
>;
