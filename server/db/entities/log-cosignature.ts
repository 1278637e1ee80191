import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A cosignature line of a log at one size: of ours by others (origin 0), of
 * others by us (spec/mesh.md §B7).
 */
@Entity({ name: 'log_cosignature' })
@Index('log_cosignature_newest', ['originId', 'cosigner', 'size'])
@Check('log_cosignature_lengths', 'see the migration')
export class LogCosignature {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' })
  originId!: number;
  @PrimaryColumn({ type: 'bigint' })
  size!: number;
  @PrimaryColumn({ type: 'text' })
  cosigner!: string;
  @Column({ type: 'text' })
  vkey!: string;
  @Column({ type: 'text' })
  line!: string;
  @Column({ type: 'bigint' })
  at!: number;
}
