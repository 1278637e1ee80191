import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { REMOVE_BY, type RemoveBy } from '../../../protocol/entry/types.js';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
  type ModerationAction,
  type ModerationReason,
  POLL_OUTCOMES,
  type PollOutcome,
} from '../../../protocol/moderation.js';
import { refersTo } from '../refers-to.js';
import { type DecisionEffect, oneOf } from '../states.js';
import type { Message } from './message.js';

/**
 * Never changed: undoing is a further decision. `effect`: the state of the
 * message that only this decision causes, or null.
 */
@Entity({ name: 'decision' })
@Unique('decision_log_index', ['generation', 'logIndex'])
@Unique('decision_effect_key', ['id', 'messageId', 'effect'])
@Index('decision_of_message', ['messageId', 'id'])
@Index('decision_of_poll', ['pollId'], { where: 'poll_id IS NOT NULL' })
@Check('decision_action', oneOf('action', MODERATION_ACTIONS))
@Check(
  'decision_effect',
  `effect IS NOT DISTINCT FROM CASE action
    WHEN 'remove' THEN 'removed' WHEN 'erase' THEN 'removed'
    WHEN 'hide' THEN 'hidden_by_decision'
    WHEN 'restore_visibility' THEN 'restored_by_decision' END`,
)
@Check('decision_reason', oneOf('reason', MODERATION_REASONS))
@Check(
  'decision_no_removal_for_disagreement',
  "effect IS DISTINCT FROM 'removed' OR reason <> 'disagreement'",
)
@Check('decision_made_by', oneOf('made_by', REMOVE_BY))
@Check(
  'decision_outcome',
  `(action = 'poll_decision') = (outcome IS NOT NULL)
    AND (action = 'poll_decision') = (poll_id IS NOT NULL)
    AND ${oneOf('outcome', POLL_OUTCOMES)}`,
)
@Check(
  'decision_lengths',
  `char_length(explanation) BETWEEN 1 AND 2000
    AND char_length(private_note) <= 2000
    AND char_length(operator) BETWEEN 1 AND 48`,
)
export class Decision {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bigint' }) messageId!: number;
  @refersTo('Message', 'decision_message')
  message?: Message;
  @Column({ type: 'text', nullable: true }) cardId!: string | null;
  @Column({ type: 'bigint', nullable: true }) pollId!: number | null;
  @Column({ type: 'text' }) action!: ModerationAction;
  @Column({ type: 'text', nullable: true }) outcome!: PollOutcome | null;
  @Column({ type: 'text', nullable: true }) effect!: DecisionEffect | null;
  /** Of `hide`: ratings had hidden the topic before. */
  @Column({ type: 'boolean', default: false }) staysHidden!: boolean;
  @Column({ type: 'text' }) reason!: ModerationReason;
  @Column({ type: 'text' }) explanation!: string;
  @Column({ type: 'text', nullable: true }) privateNote!: string | null;
  @Column({ type: 'text' }) madeBy!: RemoveBy;
  @Column({ type: 'text' }) operator!: string;
  @Column({ type: 'bigint' }) decidedAt!: number;
  @Column({ type: 'bigint', nullable: true }) supersedes!: number | null;
  @refersTo('Decision', 'decision_supersedes', { name: 'supersedes' })
  superseded?: Decision | null;
  /** The own log that contains its entry. */
  @Column({ type: 'integer', default: 1 }) generation!: number;
  @Column({ type: 'bigint' }) logIndex!: number;
}

/** A wording; its `{{placeholders}}` are to be filled. */
@Entity({ name: 'decision_template' })
@Check(
  'decision_template_lengths',
  'char_length(name) BETWEEN 1 AND 60 AND char_length(explanation) BETWEEN 1 AND 2000',
)
export class DecisionTemplate {
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) action!: ModerationAction;
  @Column({ type: 'text' }) reason!: ModerationReason;
  @Column({ type: 'text' }) explanation!: string;
  @Column({ type: 'bigint' }) updatedAt!: number;
  @Column({ type: 'text' }) updatedBy!: string;
}
