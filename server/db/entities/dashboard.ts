import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { NotedKind } from '../live-events.js';
import { refersTo } from '../refers-to.js';
import type { Message } from './message.js';
import type { Operator } from './operator.js';

@Entity({ name: 'subject_claim' })
export class SubjectClaim {
  @PrimaryColumn({ type: 'text' }) subject!: string;
  @Column({ type: 'uuid' }) operatorId!: string;
  @refersTo('Operator', 'subject_claim_of')
  operator?: Operator;
  @Column({ type: 'bigint' }) claimedAt!: number;
}

/** Visible to operators only. */
@Entity({ name: 'subject_note' })
@Index('subject_note_message', ['messageId', 'at'])
@Check('subject_note_lengths', 'char_length(note) BETWEEN 1 AND 2000')
export class SubjectNote {
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  @Column({ type: 'bigint' }) messageId!: number;
  @refersTo('Message', 'subject_note_of')
  message?: Message;
  @Column({ type: 'text' }) note!: string;
  /** Null for the command line. */
  @Column({ type: 'uuid', nullable: true }) operatorId!: string | null;
  /** The public alias at that time. */
  @Column({ type: 'text' }) operator!: string;
  @Column({ type: 'bigint' }) at!: number;
}

@Entity({ name: 'saved_view' })
@Check(
  'saved_view_lengths',
  'char_length(name) BETWEEN 1 AND 60 AND char_length(query) BETWEEN 0 AND 2000',
)
export class SavedView {
  @PrimaryColumn({ type: 'uuid' }) operatorId!: string;
  @refersTo('Operator', 'saved_view_of')
  operator?: Operator;
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) query!: string;
  @Column({ type: 'bigint' }) createdAt!: number;
}

/** `seq` has no gaps (spec/operators.md §4). */
@Entity({ name: 'admin_event' })
@Index('admin_event_at', ['at'])
export class AdminEvent {
  @PrimaryColumn({ type: 'bigint' }) seq!: number;
  @Column({ type: 'bigint' }) at!: number;
  @Column({ type: 'text' }) kind!: NotedKind;
  @Column({ type: 'jsonb' }) payload!: object;
}

/** Not numbered yet. */
@Entity({ name: 'admin_pending', synchronize: false })
export class AdminPending {
  @PrimaryColumn({ type: 'text' }) kind!: NotedKind;
  @PrimaryColumn({ type: 'jsonb' }) payload!: object;
}
