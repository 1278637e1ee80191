import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Folded text, until archived; deleted when the message is removed. */
@Entity({ name: 'message_search' })
export class MessageSearch {
  @PrimaryColumn({ type: 'bigint' }) messageId!: number;
  @Column({ type: 'text', nullable: true }) titleFold!: string | null;
  @Column({ type: 'text' }) bodyFold!: string;
}

/** How far the archive goes; its single row is the lock. */
@Entity({ name: 'search_archive' })
@Check('search_archive_one', 'id = 1')
export class SearchArchive {
  @PrimaryColumn({ type: 'integer' }) id!: number;
  @Column({ type: 'integer' }) segments!: number;
  @Column({ type: 'integer', array: true }) missing!: number[];
  @Column({ type: 'bigint' }) changes!: number;
}

/** Keys of a segment's texts; all are deleted with any one text. */
@Entity({ name: 'search_slice' })
export class SearchSlice {
  @PrimaryColumn({ type: 'integer' }) segment!: number;
  @PrimaryColumn({ type: 'integer' }) slice!: number;
  @Column({ type: 'bytea' }) data!: Buffer;
}
