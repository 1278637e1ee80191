import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Folded text; deleted when the message is removed. `grams` are the keys of
 * rows that an earlier release wrote; those of others are in the index alone.
 */
@Entity({ name: 'message_search' })
@Index('message_search_grams', { synchronize: false })
@Index('message_search_old', { synchronize: false })
@Index('message_search_triples', { synchronize: false })
export class MessageSearch {
  @PrimaryColumn({ type: 'bigint', name: 'message_id' }) messageId!: number;
  @Column({ type: 'text', name: 'title_fold', nullable: true })
  titleFold!: string | null;
  @Column({ type: 'text', name: 'body_fold' }) bodyFold!: string;
  @Column({ type: 'integer', array: true, nullable: true })
  grams!: number[] | null;
}
