import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** One log this node keeps; origin 0 is its own (spec/mesh.md §B4, §B7). */
@Entity({ name: 'log_state' })
@Index('log_state_closed', { synchronize: false })
@Unique('log_state_origin_key', ['origin'])
export class LogState {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' }) originId!: number;
  @Column({ type: 'text' }) board!: string;
  @Column({ type: 'text' }) origin!: string;
  @Column({ type: 'integer', default: 1 }) generation!: number;
  @Column({ type: 'text', name: 'log_vkey' }) logVkey!: string;
  @Column({ type: 'text' }) identity!: string;
  @Column({ type: 'bigint' }) size!: number;
  @Column({ type: 'bytea' }) frontier!: Buffer;
  @Column({ type: 'bigint', name: 'last_message_id' }) lastMessageId!: number;
  @Column({ type: 'bigint', name: 'last_at' }) lastAt!: number;
  @Column({ type: 'text' }) checkpoint!: string;
  /** Of a closed generation of the own log, in ms; null for every other. */
  @Column({ type: 'bigint', name: 'closed_at', nullable: true })
  closedAt!: number | null;
}
