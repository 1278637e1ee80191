import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import {
  oneOf,
  PEER_CONTENT,
  PEER_DECISIONS,
  PEER_KEPT,
  PEER_STATUS,
  PEER_TRUST,
  type PeerContent,
  type PeerDecisions,
  type PeerKept,
  type PeerStatus,
  type PeerTrust,
} from '../states.js';

/**
 * `origin_id` is never reused (spec/mesh.md §B6, §B8). The shown status derives
 * from `status`, `degraded_until` and attempts (§B8.3).
 */
@Entity({ name: 'peer' })
@Unique('peer_name', ['name'])
@Unique('peer_origin', ['origin'])
@Check('peer_foreign', 'origin_id > 0')
@Check('peer_status', oneOf('status', PEER_STATUS))
@Check(
  'peer_confirmed',
  "confirmed_at IS NOT NULL OR status IN ('pending', 'blocked')",
)
@Check('peer_trust', oneOf('trust', PEER_TRUST))
@Check('peer_content', oneOf('content', PEER_CONTENT))
@Check('peer_kept', oneOf('kept', PEER_KEPT))
@Check('peer_decisions', oneOf('decisions', PEER_DECISIONS))
@Check(
  'peer_lengths',
  `char_length(name) BETWEEN 1 AND 110 AND char_length(origin) <= 130
    AND octet_length(base_url) <= 300 AND octet_length(identity) <= 16384
    AND octet_length(status_reason) <= 1000
    AND octet_length(remote_checkpoint) <= 16384
    AND octet_length(document) <= 262144`,
)
export class Peer {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' }) originId!: number;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) origin!: string;
  @Column({ type: 'text', name: 'base_url' }) baseUrl!: string;
  @Column({ type: 'text', name: 'log_vkey' }) logVkey!: string;
  @Column({ type: 'text', name: 'mirror_vkey' }) mirrorVkey!: string;
  @Column({ type: 'text', name: 'node_vkey' }) nodeVkey!: string;
  @Column({ type: 'text' }) identity!: string;
  @Column({ type: 'bigint', name: 'identity_seq' }) identitySeq!: number;
  @Column({ type: 'text', name: 'pending_identity', nullable: true })
  pendingIdentity!: string | null;
  @Column({ type: 'bigint', name: 'added_at' }) addedAt!: number;
  @Column({ type: 'bigint', name: 'confirmed_at', nullable: true })
  confirmedAt!: number | null;
  @Column({ type: 'text' }) status!: PeerStatus;
  @Column({ type: 'text', name: 'status_reason', nullable: true })
  statusReason!: string | null;
  @Column({ type: 'bigint', name: 'status_at' }) statusAt!: number;
  @Column({ type: 'text' }) trust!: PeerTrust;
  @Column({ type: 'text', default: 'signed' }) content!: PeerContent;
  @Column({ type: 'text', default: 'annotate' }) decisions!: PeerDecisions;
  @Column({ type: 'text', default: 'none' }) kept!: PeerKept;
  @Column({ type: 'bigint', name: 'probation_until', nullable: true })
  probationUntil!: number | null;
  @Column({ type: 'bigint', name: 'entries_day', nullable: true })
  entriesDay!: number | null;
  @Column({ type: 'bigint', name: 'content_bytes_day', nullable: true })
  contentBytesDay!: number | null;
  @Column({ type: 'bigint', name: 'backfill_bytes_hour', nullable: true })
  backfillBytesHour!: number | null;
  @Column({ type: 'bigint', name: 'degraded_until', nullable: true })
  degradedUntil!: number | null;
  @Column({ type: 'text', name: 'degraded_reason', nullable: true })
  degradedReason!: string | null;
  @Column({ type: 'bigint', name: 'rolled_back_since', nullable: true })
  rolledBackSince!: number | null;
  @Column({ type: 'bigint', name: 'unresolved_since', nullable: true })
  unresolvedSince!: number | null;
  @Column({ type: 'bigint', name: 'invalid_entries', default: 0 })
  invalidEntries!: number;
  @Column({ type: 'bigint', name: 'withheld_contents', default: 0 })
  withheldContents!: number;
  @Column({ type: 'bigint', name: 'last_attempt_at', nullable: true })
  lastAttemptAt!: number | null;
  @Column({ type: 'bigint', name: 'last_success_at', nullable: true })
  lastSuccessAt!: number | null;
  @Column({ type: 'integer', default: 0 }) failures!: number;
  @Column({ type: 'bigint', name: 'retry_at', nullable: true })
  retryAt!: number | null;
  @Column({ type: 'text', name: 'last_error_code', nullable: true })
  lastErrorCode!: string | null;
  @Column({ type: 'bigint', name: 'last_error_at', nullable: true })
  lastErrorAt!: number | null;
  @Column({ type: 'bigint', name: 'remote_size', nullable: true })
  remoteSize!: number | null;
  @Column({ type: 'text', name: 'remote_checkpoint', nullable: true })
  remoteCheckpoint!: string | null;
  @Column({ type: 'bigint', name: 'remote_seen_at', nullable: true })
  remoteSeenAt!: number | null;
  @Column({ type: 'text', nullable: true }) document!: string | null;
  @Column({ type: 'bigint', name: 'document_at', nullable: true })
  documentAt!: number | null;
  /** As its document states (spec/mesh.md §B6). */
  @Column({ type: 'integer', nullable: true }) level!: number | null;
  @Column({ type: 'bigint', name: 'acked_size', default: 0 })
  ackedSize!: number;
  @Column({ type: 'bigint', name: 'acked_at', nullable: true })
  ackedAt!: number | null;
  @Column({ type: 'bigint', name: 'anchored_size', default: 0 })
  anchoredSize!: number;
  @Column({ type: 'bigint', name: 'anchored_at', nullable: true })
  anchoredAt!: number | null;
  @Column({ type: 'integer', name: 'apply_ms', array: true, default: '{}' })
  applyMs!: number[];
}

/** Taken from a peer in a clock hour (since the epoch), for quotas. */
@Entity({ name: 'peer_usage' })
export class PeerUsage {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) hour!: number;
  @Column({ type: 'bigint' }) entries!: number;
  @Column({ type: 'bigint', name: 'content_bytes' }) contentBytes!: number;
  @Column({ type: 'bigint', name: 'backfill_bytes' }) backfillBytes!: number;
}
