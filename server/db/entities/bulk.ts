import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type {
  ModerationAction,
  ModerationReason,
  PollOutcome,
} from '../../../protocol/moderation.js';
import { refersTo } from '../refers-to.js';
import { BULK_ITEM_STATES, type BulkItemState, oneOf } from '../states.js';

/** Kept for 30 days (spec/operators.md §5.1). */
@Entity({ name: 'bulk' })
@Index('bulk_created', ['createdAt', 'id'])
@Index('bulk_undoes', ['undoes'], { where: 'undoes IS NOT NULL' })
export class Bulk {
  /** Chosen by the client: a repeated submit is the same bulk. */
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  /** Null for the command line. */
  @Column({ type: 'uuid', nullable: true }) operatorId!: string | null;
  /** The alias of the operator who began it. */
  @Column({ type: 'text' }) operator!: string;
  @Column({ type: 'text' }) action!: ModerationAction;
  @Column({ type: 'text' }) reason!: ModerationReason;
  @Column({ type: 'text', nullable: true }) outcome!: PollOutcome | null;
  @Column({ type: 'text' }) explanation!: string;
  @Column({ type: 'text', nullable: true }) privateNote!: string | null;
  @Column({ type: 'text', nullable: true }) answer!: string | null;
  @Column({ type: 'boolean' }) settleReports!: boolean;
  @Column({ type: 'uuid', nullable: true }) undoes!: string | null;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'bigint', nullable: true }) cancelledAt!: number | null;
}

@Entity({ name: 'bulk_item' })
@Unique('bulk_item_subject', ['bulkId', 'subject'])
@Unique('bulk_item_message', ['bulkId', 'messageId'])
@Index('bulk_item_next', ['bulkId', 'state', 'n'])
@Check('bulk_item_state', oneOf('state', BULK_ITEM_STATES))
export class BulkItem {
  @PrimaryColumn({ type: 'uuid' }) bulkId!: string;
  @refersTo('Bulk', 'bulk_item_of')
  bulk?: Bulk;
  @PrimaryColumn({ type: 'integer' }) n!: number;
  @Column({ type: 'text' }) subject!: string;
  /** Null where there is no such subject. */
  @Column({ type: 'bigint', nullable: true }) messageId!: number | null;
  /** The newest decision that the operator saw. */
  @Column({ type: 'bigint', nullable: true }) seen!: number | null;
  /** A decision of the bulk that is undone. */
  @Column({ type: 'bigint', nullable: true }) supersedes!: number | null;
  @Column({ type: 'text', default: 'waiting' }) state!: BulkItemState;
  @Column({ type: 'bigint', nullable: true }) decisionId!: number | null;
  @Column({ type: 'jsonb', nullable: true }) error!: object | null;
}
