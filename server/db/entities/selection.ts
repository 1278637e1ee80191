import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { refersTo } from '../refers-to.js';

@Entity({ name: 'selection' })
@Unique('selection_day', ['day'])
export class Selection {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'text' }) day!: string;
  @Column({ type: 'bigint' }) createdAt!: number;
}

/** The text is read from the original each time. */
@Entity({ name: 'selection_card' })
export class SelectionCard {
  @PrimaryColumn({ type: 'bigint' }) selectionId!: number;
  @refersTo('Selection', 'selection_card_selection')
  selection?: Selection;
  @PrimaryColumn({ type: 'smallint' }) n!: number;
  @Column({ type: 'bigint' }) messageId!: number;
  @Column({ type: 'bigint' }) likes!: number;
}
