import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last run of each job on this database, for the operators' page. */
@Entity({ name: 'job_run' })
export class JobRun {
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'bigint', name: 'started_at' }) startedAt!: number;
  @Column({ type: 'bigint', name: 'duration_ms' }) durationMs!: number;
  @Column({ type: 'bigint' }) rows!: number;
  @Column({ type: 'jsonb', nullable: true }) detail!: unknown;
  @Column({ type: 'text', nullable: true }) error!: string | null;
  /** Runs in a row that failed. */
  @Column({ type: 'integer' }) failures!: number;
  @Column({ type: 'text' }) instance!: string;
}
