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
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) origin!: string;
  @Column({ type: 'text' }) baseUrl!: string;
  @Column({ type: 'text' }) logVkey!: string;
  @Column({ type: 'text' }) mirrorVkey!: string;
  @Column({ type: 'text' }) nodeVkey!: string;
  @Column({ type: 'text' }) identity!: string;
  @Column({ type: 'bigint' }) identitySeq!: number;
  @Column({ type: 'text', nullable: true }) pendingIdentity!: string | null;
  @Column({ type: 'bigint' }) addedAt!: number;
  @Column({ type: 'bigint', nullable: true }) confirmedAt!: number | null;
  @Column({ type: 'text' }) status!: PeerStatus;
  @Column({ type: 'text', nullable: true }) statusReason!: string | null;
  @Column({ type: 'bigint' }) statusAt!: number;
  @Column({ type: 'text' }) trust!: PeerTrust;
  @Column({ type: 'text', default: 'signed' }) content!: PeerContent;
  @Column({ type: 'text', default: 'annotate' }) decisions!: PeerDecisions;
  @Column({ type: 'text', default: 'none' }) kept!: PeerKept;
  @Column({ type: 'bigint', nullable: true }) probationUntil!: number | null;
  @Column({ type: 'bigint', nullable: true }) entriesDay!: number | null;
  @Column({ type: 'bigint', nullable: true }) contentBytesDay!: number | null;
  @Column({ type: 'bigint', nullable: true }) backfillBytesHour!: number | null;
  @Column({ type: 'bigint', nullable: true }) degradedUntil!: number | null;
  @Column({ type: 'text', nullable: true }) degradedReason!: string | null;
  @Column({ type: 'bigint', nullable: true }) rolledBackSince!: number | null;
  @Column({ type: 'bigint', nullable: true }) unresolvedSince!: number | null;
  @Column({ type: 'bigint', default: 0 }) invalidEntries!: number;
  @Column({ type: 'bigint', default: 0 }) withheldContents!: number;
  @Column({ type: 'bigint', nullable: true }) lastAttemptAt!: number | null;
  @Column({ type: 'bigint', nullable: true }) lastSuccessAt!: number | null;
  @Column({ type: 'integer', default: 0 }) failures!: number;
  @Column({ type: 'bigint', nullable: true }) retryAt!: number | null;
  @Column({ type: 'text', nullable: true }) lastErrorCode!: string | null;
  @Column({ type: 'bigint', nullable: true }) lastErrorAt!: number | null;
  @Column({ type: 'bigint', nullable: true }) remoteSize!: number | null;
  @Column({ type: 'text', nullable: true }) remoteCheckpoint!: string | null;
  @Column({ type: 'bigint', nullable: true }) remoteSeenAt!: number | null;
  @Column({ type: 'text', nullable: true }) document!: string | null;
  @Column({ type: 'bigint', nullable: true }) documentAt!: number | null;
  /** As its document states (spec/mesh.md §B6). */
  @Column({ type: 'integer', nullable: true }) level!: number | null;
  @Column({ type: 'bigint', default: 0 }) ackedSize!: number;
  @Column({ type: 'bigint', nullable: true }) ackedAt!: number | null;
  @Column({ type: 'bigint', default: 0 }) anchoredSize!: number;
  @Column({ type: 'bigint', nullable: true }) anchoredAt!: number | null;
  @Column({ type: 'integer', array: true, default: '{}' })
  applyMs!: number[];
}

/** Taken from a peer in a clock hour (since the epoch), for quotas. */
@Entity({ name: 'peer_usage' })
export class PeerUsage {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) hour!: number;
  @Column({ type: 'bigint' }) entries!: number;
  @Column({ type: 'bigint' }) contentBytes!: number;
  @Column({ type: 'bigint' }) backfillBytes!: number;
}
