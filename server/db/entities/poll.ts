import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A topic's poll. The text columns are null once the topic is removed. */
@Entity({ name: 'poll' })
@Unique('poll_root', ['rootId'])
@Index('poll_open', { synchronize: false })
@Check('poll_type', "type IN ('survey', 'proposal')")
@Check('poll_text', '(question IS NULL) = (options IS NULL)')
@Check('poll_kind', "(kind IS NOT NULL) = (type = 'proposal')")
@Check('poll_lengths', 'octet_length(question) BETWEEN 1 AND 24576')
@Check('poll_closed', '(closed_at IS NULL) = (close_reason IS NULL)')
@Check('poll_result', "result IN ('selected', 'tie', 'insufficient_votes')")
export class Poll {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bigint', name: 'root_id' }) rootId!: number;
  @Column({ type: 'text' }) type!: string;
  @Column({ type: 'text', nullable: true }) question!: string | null;
  @Column({ type: 'text', array: true, nullable: true })
  options!: string[] | null;
  @Column({ type: 'text', nullable: true }) kind!: string | null;
  @Column({ type: 'text', nullable: true }) summary!: string | null;
  @Column({ type: 'integer', name: 'duration_hours' }) durationHours!: number;
  @Column({ type: 'bytea' }) secret!: Buffer;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'bigint', name: 'closes_at' }) closesAt!: number;
  @Column({ type: 'integer', array: true }) counts!: number[];
  @Column({ type: 'integer', default: 0 }) voters!: number;
  @Column({ type: 'bigint', name: 'closed_at', nullable: true })
  closedAt!: number | null;
  @Column({ type: 'text', name: 'close_reason', nullable: true })
  closeReason!: string | null;
  @Column({ type: 'text', nullable: true }) result!: string | null;
  @Column({ type: 'smallint', nullable: true }) winner!: number | null;
  @Column({ type: 'jsonb', nullable: true }) decision!: unknown;
}
