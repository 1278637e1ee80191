import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One leaf of a log, its bytes exactly as hashed (partitioned by origin). */
@Entity({ name: 'log_entry' })
@Index('log_entry_post', { synchronize: false })
@Index('log_entry_invalid', { synchronize: false })
export class LogEntry {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) idx!: number;
  @Column({ type: 'text' }) type!: string;
  @Column({ type: 'bigint', name: 'message_id', nullable: true })
  messageId!: number | null;
  @Column({ type: 'text', name: 'agent_id', nullable: true })
  agentId!: string | null;
  @Column({ type: 'bytea', name: 'message_hash', nullable: true })
  messageHash!: Buffer | null;
  @Column({ type: 'bytea' }) leaf!: Buffer;
  @Column({ type: 'bytea', name: 'leaf_hash' }) leafHash!: Buffer;
  /** `ok`, or `invalid` with the `fault` in one word (mirrored logs only). */
  @Column({ type: 'text', default: 'ok' }) status!: string;
  @Column({ type: 'text', nullable: true }) fault!: string | null;
}
