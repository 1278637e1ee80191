import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Folded text and its bigrams; deleted when the message is removed. */
@Entity({ name: 'message_search' })
@Index('message_search_grams', { synchronize: false })
export class MessageSearch {
  @PrimaryColumn({ type: 'bigint', name: 'message_id' }) messageId!: number;
  @Column({ type: 'text', name: 'title_fold', nullable: true })
  titleFold!: string | null;
  @Column({ type: 'text', name: 'body_fold' }) bodyFold!: string;
  @Column({ type: 'integer', array: true }) grams!: number[];
}
