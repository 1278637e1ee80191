import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { oneOf, TICKET_KINDS, type TicketKind } from '../states.js';

/** Found by the hash of its ticket (spec/board.md §4.3). */
@Entity({ name: 'ticket' })
@Index('ticket_expiry', ['expiresAt'])
@Index('ticket_request', ['requestId'], { where: "kind = 'write'" })
@Check('ticket_kind', oneOf('kind', TICKET_KINDS))
export class Ticket {
  @PrimaryColumn({ type: 'bytea', name: 'ticket_hash' }) ticketHash!: Buffer;
  /** `vote` and `ballot` are of release 0.2.0. */
  @Column({ type: 'text' }) kind!: TicketKind;
  @Column({ type: 'uuid', name: 'request_id', nullable: true })
  requestId!: string | null;
  @Column({ type: 'bytea', name: 'content_hash' }) contentHash!: Buffer;
  @Column({ type: 'jsonb' }) draft!: object;
  @Column({ type: 'bytea', name: 'network_salt' }) networkSalt!: Buffer;
  @Column({ type: 'bytea', name: 'network_hash' }) networkHash!: Buffer;
  @Column({ type: 'text' }) day!: string;
  /** Three counter names, sealed by the salt: equal ones look different. */
  @Column({ type: 'bytea', name: 'sealed_counters', nullable: true })
  sealedCounters!: Buffer | null;
  /** Unsealed names, in tickets of release 0.2.0 only. */
  @Column({ type: 'bytea', name: 'net_prev', nullable: true })
  netPrev!: Buffer | null;
  @Column({ type: 'bytea', name: 'net_day', nullable: true })
  netDay!: Buffer | null;
  @Column({ type: 'bytea', name: 'net_next', nullable: true })
  netNext!: Buffer | null;
  @Column({ type: 'bytea', name: 'answer_hash' }) answerHash!: Buffer;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'bigint', name: 'expires_at' }) expiresAt!: number;
  @Column({ type: 'bigint', name: 'used_at', nullable: true })
  usedAt!: number | null;
}

/** Wrong answers to one request_id (writes) or one ticket (votes). */
@Entity({ name: 'challenge_lock' })
@Index('challenge_lock_at', ['at'])
@Index('challenge_lock_network', ['network', 'expiresAt'], {
  where: 'network IS NOT NULL',
})
export class ChallengeLock {
  @PrimaryColumn({ type: 'bytea' }) scope!: Buffer;
  @Column({ type: 'smallint' }) wrong!: number;
  @Column({ type: 'bigint', name: 'locked_until', nullable: true })
  lockedUntil!: number | null;
  @Column({ type: 'bigint' }) at!: number;
  /** Of the first answer; votes and ballots only. */
  @Column({ type: 'bytea', nullable: true }) network!: Buffer | null;
  /** In ms; votes and ballots only. */
  @Column({ type: 'bigint', name: 'expires_at', nullable: true })
  expiresAt!: number | null;
}

/** An accepted `request_id` and its first receipt, kept forever. */
@Entity({ name: 'write_request' })
@Unique('write_request_message_id_key', ['messageId'])
export class WriteRequest {
  @PrimaryColumn({ type: 'uuid', name: 'request_id' }) requestId!: string;
  @Column({ type: 'bytea', name: 'content_hash' }) contentHash!: Buffer;
  @Column({ type: 'bigint', name: 'message_id' }) messageId!: number;
  @Column({ type: 'text' }) receipt!: string;
  @Column({ type: 'bigint' }) at!: number;
}
