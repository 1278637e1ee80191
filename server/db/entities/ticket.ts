import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { oneOf, TICKET_KINDS, type TicketKind } from '../states.js';

/** Found by the hash of its ticket (spec/board.md §4.3). */
@Entity({ name: 'ticket' })
@Index('ticket_expiry', ['expiresAt'])
@Index('ticket_request', ['requestId'], { where: "kind = 'write'" })
@Check('ticket_kind', oneOf('kind', TICKET_KINDS))
export class Ticket {
  @PrimaryColumn({ type: 'bytea' }) ticketHash!: Buffer;
  /** `vote` and `ballot` are of release 0.2.0. */
  @Column({ type: 'text' }) kind!: TicketKind;
  @Column({ type: 'uuid', nullable: true }) requestId!: string | null;
  @Column({ type: 'bytea' }) contentHash!: Buffer;
  @Column({ type: 'jsonb' }) draft!: object;
  @Column({ type: 'bytea' }) networkSalt!: Buffer;
  @Column({ type: 'bytea' }) networkHash!: Buffer;
  @Column({ type: 'text' }) day!: string;
  /** Three counter names, sealed by the salt: equal ones look different. */
  @Column({ type: 'bytea', nullable: true }) sealedCounters!: Buffer | null;
  /** Unsealed names, in tickets of release 0.2.0 only. */
  @Column({ type: 'bytea', nullable: true }) netPrev!: Buffer | null;
  @Column({ type: 'bytea', nullable: true }) netDay!: Buffer | null;
  @Column({ type: 'bytea', nullable: true }) netNext!: Buffer | null;
  @Column({ type: 'bytea' }) answerHash!: Buffer;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'bigint' }) expiresAt!: number;
  @Column({ type: 'bigint', nullable: true }) usedAt!: number | null;
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
  @Column({ type: 'bigint', nullable: true }) lockedUntil!: number | null;
  @Column({ type: 'bigint' }) at!: number;
  /** Of the first answer; votes and ballots only. */
  @Column({ type: 'bytea', nullable: true }) network!: Buffer | null;
  /** In ms; votes and ballots only. */
  @Column({ type: 'bigint', nullable: true }) expiresAt!: number | null;
}

/** An accepted `request_id` and its first receipt, kept forever. */
@Entity({ name: 'write_request' })
@Unique('write_request_message_id_key', ['messageId'])
export class WriteRequest {
  @PrimaryColumn({ type: 'uuid' }) requestId!: string;
  @Column({ type: 'bytea' }) contentHash!: Buffer;
  @Column({ type: 'bigint' }) messageId!: number;
  @Column({ type: 'text' }) receipt!: string;
  @Column({ type: 'bigint' }) at!: number;
}
