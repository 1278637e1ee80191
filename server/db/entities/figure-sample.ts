import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One figure of one minute, later of a quarter of an hour; 30 days. */
@Entity({ name: 'figure_sample' })
@Index('figure_sample_fine', { synchronize: false })
@Check('figure_sample_value', 'value >= 0')
export class FigureSample {
  @PrimaryColumn({ type: 'bigint' }) at!: number;
  @PrimaryColumn({ type: 'text' }) series!: string;
  /** A board's name; empty for a figure of this board. */
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'bigint' }) value!: number;
}
