import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from 'typeorm';
import { ADMIN_EVENT_KINDS, type AdminEventKind, oneOf } from '../states.js';
import type { Message } from './message.js';
import type { Operator } from './operator.js';

@Entity({ name: 'subject_claim' })
export class SubjectClaim {
  @PrimaryColumn({ type: 'text' }) subject!: string;
  @Column({ type: 'uuid', name: 'operator_id' }) operatorId!: string;
  @ManyToOne('Operator')
  @JoinColumn({
    name: 'operator_id',
    foreignKeyConstraintName: 'subject_claim_of',
  })
  operator?: Operator;
  @Column({ type: 'bigint', name: 'claimed_at' }) claimedAt!: number;
}

/** Visible to operators only. */
@Entity({ name: 'subject_note' })
@Index('subject_note_message', ['messageId', 'at'])
@Check('subject_note_lengths', 'char_length(note) BETWEEN 1 AND 2000')
export class SubjectNote {
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  @Column({ type: 'bigint', name: 'message_id' }) messageId!: number;
  @ManyToOne('Message')
  @JoinColumn({
    name: 'message_id',
    foreignKeyConstraintName: 'subject_note_of',
  })
  message?: Message;
  @Column({ type: 'text' }) note!: string;
  /** Null for the command line. */
  @Column({ type: 'uuid', name: 'operator_id', nullable: true })
  operatorId!: string | null;
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
  @PrimaryColumn({ type: 'uuid', name: 'operator_id' }) operatorId!: string;
  @ManyToOne('Operator')
  @JoinColumn({
    name: 'operator_id',
    foreignKeyConstraintName: 'saved_view_of',
  })
  operator?: Operator;
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) query!: string;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
}

/** `seq` has no gaps (spec/operators.md §4). */
@Entity({ name: 'admin_event' })
@Index('admin_event_at', ['at'])
@Check('admin_event_kind', oneOf('kind', ADMIN_EVENT_KINDS))
export class AdminEvent {
  @PrimaryColumn({ type: 'bigint' }) seq!: number;
  @Column({ type: 'bigint' }) at!: number;
  @Column({ type: 'text' }) kind!: AdminEventKind;
  @Column({ type: 'jsonb' }) payload!: object;
}

/** Not numbered yet. */
@Entity({ name: 'admin_pending', synchronize: false })
export class AdminPending {
  @PrimaryColumn({ type: 'text' }) kind!: AdminEventKind;
  @PrimaryColumn({ type: 'jsonb' }) payload!: object;
}
