import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  Unique,
} from 'typeorm';

const of = (name: string) => ({ name });

/**
 * What an operator decided about a message, and why. Never changed: undoing is
 * a further decision. `effect` is the state of the message that only this
 * decision makes possible, null when it makes none.
 */
@Entity({ name: 'decision' })
@Unique('decision_log_index', ['generation', 'logIndex'])
@Unique('decision_effect_key', ['id', 'messageId', 'effect'])
@Index('decision_of_message', ['messageId', 'id'])
@Index('decision_of_poll', { synchronize: false })
@ForeignKey('Message', ['messageId'], ['id'], of('decision_message'))
@ForeignKey('Decision', ['supersedes'], ['id'], of('decision_supersedes'))
@Check('decision_action', 'action IN (...)')
@Check('decision_effect', 'effect IS NOT DISTINCT FROM ...')
@Check('decision_reason', 'reason IN (...)')
@Check('decision_no_removal_for_disagreement', "reason <> 'disagreement'")
@Check('decision_made_by', "made_by IN ('operator', 'author', 'policy')")
@Check('decision_outcome', "outcome IN ('accepted', 'declined', 'deferred')")
@Check('decision_lengths', 'char_length(explanation) BETWEEN 1 AND 2000')
export class Decision {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bigint', name: 'message_id' }) messageId!: number;
  @Column({ type: 'text', name: 'card_id', nullable: true })
  cardId!: string | null;
  @Column({ type: 'bigint', name: 'poll_id', nullable: true })
  pollId!: number | null;
  @Column({ type: 'text' }) action!: string;
  @Column({ type: 'text', nullable: true }) outcome!: string | null;
  @Column({ type: 'text', nullable: true }) effect!: string | null;
  @Column({ type: 'text' }) reason!: string;
  @Column({ type: 'text' }) explanation!: string;
  @Column({ type: 'text', name: 'private_note', nullable: true })
  privateNote!: string | null;
  @Column({ type: 'text', name: 'made_by' }) madeBy!: string;
  /** The public alias. */
  @Column({ type: 'text' }) operator!: string;
  @Column({ type: 'bigint', name: 'decided_at' }) decidedAt!: number;
  @Column({ type: 'bigint', nullable: true }) supersedes!: number | null;
  /** Of the own log that holds its entry. */
  @Column({ type: 'integer', default: 1 }) generation!: number;
  @Column({ type: 'bigint', name: 'log_index' }) logIndex!: number;
}
