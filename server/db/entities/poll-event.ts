import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What happened to a poll, in commit order and without gaps. */
@Entity({ name: 'poll_event' })
@Index('poll_event_poll', ['pollId', 'id'])
@Index('poll_event_end', { synchronize: false })
@Check('poll_event_kind', 'kind IN (...)')
export class PollEvent {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bigint', name: 'poll_id' }) pollId!: number;
  @Column({ type: 'text' }) kind!: string;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'jsonb' }) data!: unknown;
}
