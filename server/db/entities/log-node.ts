import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The root of a full subtree of level ≥ 1 (partitioned by origin). */
@Entity({ name: 'log_node' })
export class LogNode {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' }) originId!: number;
  @PrimaryColumn({ type: 'smallint' }) level!: number;
  @PrimaryColumn({ type: 'bigint' }) idx!: number;
  @Column({ type: 'bytea' }) hash!: Buffer;
}
