import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** An operator's report on a period; final once published. */
@Entity({ name: 'usefulness_report' })
@Check('usefulness_report_period', 'period_start < period_end')
export class UsefulnessReport {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bigint', name: 'period_start' }) periodStart!: number;
  @Column({ type: 'bigint', name: 'period_end' }) periodEnd!: number;
  @Column({ type: 'jsonb' }) metrics!: unknown;
  @Column({ type: 'text' }) note!: string;
  @Column({ type: 'text' }) operator!: string;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'bigint', name: 'published_at', nullable: true })
  publishedAt!: number | null;
}
