import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ name: 'job_run' })
export class JobRun {
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'bigint' }) startedAt!: number;
  @Column({ type: 'bigint' }) durationMs!: number;
  @Column({ type: 'bigint' }) rows!: number;
  @Column({ type: 'jsonb', nullable: true }) detail!: unknown;
  @Column({ type: 'text', nullable: true }) error!: string | null;
  /** Consecutive failures. */
  @Column({ type: 'integer' }) failures!: number;
  @Column({ type: 'text' }) instance!: string;
}

/** An alert; open while `clearedAt` is null. */
@Entity({ name: 'alarm' })
@Index('alarm_open', ['lastAt'], { where: 'cleared_at IS NULL' })
@Check('alarm_kind', "kind ~ '^[a-z_]{1,40}$'")
@Check(
  'alarm_lengths',
  'char_length(subject) BETWEEN 1 AND 200 AND char_length(detail) BETWEEN 1 AND 2000',
)
export class Alarm {
  @PrimaryColumn({ type: 'text' }) kind!: string;
  @PrimaryColumn({ type: 'text' }) subject!: string;
  @Column({ type: 'text' }) detail!: string;
  @Column({ type: 'bigint' }) raisedAt!: number;
  @Column({ type: 'bigint' }) lastAt!: number;
  @Column({ type: 'bigint', default: 1 }) times!: number;
  @Column({ type: 'bigint', nullable: true }) clearedAt!: number | null;
  /** It stays settled while it says this. */
  @Column({ type: 'text', nullable: true }) settledDetail!: string | null;
}
