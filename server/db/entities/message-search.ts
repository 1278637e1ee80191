import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Folded text of what is not archived; deleted when the message is removed. */
@Entity({ name: 'message_search' })
export class MessageSearch {
  @PrimaryColumn({ type: 'bigint', name: 'message_id' }) messageId!: number;
  @Column({ type: 'text', name: 'title_fold', nullable: true })
  titleFold!: string | null;
  @Column({ type: 'text', name: 'body_fold' }) bodyFold!: string;
}
