import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A signed checkpoint of a log at one size. */
@Entity({ name: 'log_checkpoint' })
export class LogCheckpoint {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) size!: number;
  @Column({ type: 'bytea' }) root!: Buffer;
  @Column({ type: 'text' }) note!: string;
  @Column({ type: 'bigint' }) at!: number;
}
