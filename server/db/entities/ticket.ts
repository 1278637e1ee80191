import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A previewed draft, found by the hash of its ticket (spec/board.md §4.3). */
@Entity({ name: 'ticket' })
@Index('ticket_expiry', ['expiresAt'])
@Index('ticket_request', { synchronize: false })
@Check('ticket_kind', "kind IN ('write', 'vote', 'ballot')")
export class Ticket {
  @PrimaryColumn({ type: 'bytea', name: 'ticket_hash' }) ticketHash!: Buffer;
  @Column({ type: 'text' }) kind!: string;
  @Column({ type: 'uuid', name: 'request_id', nullable: true })
  requestId!: string | null;
  @Column({ type: 'bytea', name: 'content_hash' }) contentHash!: Buffer;
  @Column({ type: 'jsonb' }) draft!: unknown;
  @Column({ type: 'bytea', name: 'network_salt' }) networkSalt!: Buffer;
  @Column({ type: 'bytea', name: 'network_hash' }) networkHash!: Buffer;
  @Column({ type: 'text' }) day!: string;
  @Column({ type: 'bytea', name: 'net_prev' }) netPrev!: Buffer;
  @Column({ type: 'bytea', name: 'net_day' }) netDay!: Buffer;
  @Column({ type: 'bytea', name: 'net_next' }) netNext!: Buffer;
  @Column({ type: 'bytea', name: 'answer_hash' }) answerHash!: Buffer;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'bigint', name: 'expires_at' }) expiresAt!: number;
  @Column({ type: 'bigint', name: 'used_at', nullable: true })
  usedAt!: number | null;
}
