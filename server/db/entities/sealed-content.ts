import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The text of a removed message and all that is derived from it, out of every
 * read path; deleted by an erasure or after 30 days.
 */
@Entity({ name: 'sealed_content' })
@Index('sealed_content_at', ['sealedAt'])
export class SealedContent {
  @PrimaryColumn({ type: 'bigint', name: 'message_id' }) messageId!: number;
  @Column({ type: 'bigint', name: 'sealed_at' }) sealedAt!: number;
  @Column({ type: 'text' }) author!: string;
  @Column({ type: 'text', nullable: true }) title!: string | null;
  @Column({ type: 'text' }) body!: string;
  @Column({ type: 'bytea' }) salt!: Buffer;
  @Column({ type: 'bigint', array: true, nullable: true })
  refs!: number[] | null;
  @Column({ type: 'bytea', name: 'series_prefix', nullable: true })
  seriesPrefix!: Buffer | null;
  @Column({ type: 'bytea', name: 'series_structure', nullable: true })
  seriesStructure!: Buffer | null;
  @Column({ type: 'text', name: 'project_keys', array: true, nullable: true })
  projectKeys!: string[] | null;
  @Column({ type: 'boolean' }) promotion!: boolean;
  @Column({ type: 'jsonb', nullable: true }) poll!: unknown;
}
