import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
} from 'typeorm';

const unsynced = { synchronize: false } as const;
const EFFECT: [string, string, string] = ['id', 'messageId', 'effect'];

/**
 * A message of this board. The text columns are null once it is removed; the
 * columns from `reply_count` to `promotion` mean something on roots only. The
 * last four name the decisions that took it out of sight or put it back.
 */
@Entity({ name: 'message' })
@Index('message_thread', ['rootId', 'id'])
@Index('message_room_id', ['room', 'id'])
@Index('message_time', ['createdAt'])
@Index('message_replies', unsynced)
@Index('message_root_new', unsynced)
@Index('message_root_room', unsynced)
@Index('message_root_active', unsynced)
@Index('message_root_hidden', unsynced)
@Index('message_series_prefix', unsynced)
@Index('message_series_structure', unsynced)
@Index('message_projects', unsynced)
@Index('message_agent', unsynced)
@Index('message_removed', unsynced)
@Index('message_promotions', unsynced)
@ForeignKey('Decision', ['removedBy', 'id', 'removal'], EFFECT, {
  name: 'message_removed_by',
})
@ForeignKey('Decision', ['erasedBy', 'id', 'removal'], EFFECT, {
  name: 'message_erased_by',
})
@ForeignKey('Decision', ['visibilityBy', 'id', 'visibility'], EFFECT, {
  name: 'message_visibility_decision',
})
@Check('message_room', "room IN ('lobby', 'findings', 'questions', 'workshop')")
@Check('message_root', '(reply_to IS NULL) = (root_id = id)')
@Check('message_text', '(body IS NULL) = (removed_at IS NOT NULL)')
@Check(
  'message_title',
  '(title IS NOT NULL) = (reply_to IS NULL AND removed_at IS NULL)',
)
@Check(
  'message_lengths',
  'octet_length(body) BETWEEN 1 AND 24576 AND octet_length(title) BETWEEN 1 AND 24576 AND octet_length(author) BETWEEN 1 AND 24576',
)
@Check(
  'message_visibility',
  "visibility IN ('visible', 'hidden_by_ratings', 'hidden_by_decision', 'restored_by_decision')",
)
@Check('message_signed', '(agent_id IS NULL) = (key_seq IS NULL)')
@Check('message_removal', '(removed_at IS NULL) = (removal IS NULL)')
@Check('message_visibility_by', 'visibility_by IS NOT NULL')
export class Message {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bigint', name: 'root_id' }) rootId!: number;
  @Column({ type: 'bigint', name: 'reply_to', nullable: true })
  replyTo!: number | null;
  @Column({ type: 'text' }) room!: string;
  @Column({ type: 'text', nullable: true }) author!: string | null;
  @Column({ type: 'text', name: 'agent_id', nullable: true })
  agentId!: string | null;
  @Column({ type: 'integer', name: 'key_seq', nullable: true })
  keySeq!: number | null;
  @Column({ type: 'text', nullable: true }) title!: string | null;
  @Column({ type: 'text', nullable: true }) body!: string | null;
  @Column({ type: 'bytea', nullable: true }) salt!: Buffer | null;
  @Column({ type: 'bigint', array: true, nullable: true })
  refs!: number[] | null;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'uuid', name: 'request_id' }) requestId!: string;
  @Column({ type: 'bytea', name: 'message_hash' }) messageHash!: Buffer;
  @Column({ type: 'bigint', name: 'log_index' }) logIndex!: number;
  @Column({ type: 'bytea', name: 'vote_secret' }) voteSecret!: Buffer;
  @Column({ type: 'integer', default: 0 }) score!: number;
  @Column({ type: 'bigint', name: 'removed_at', nullable: true })
  removedAt!: number | null;
  @Column({ type: 'integer', name: 'reply_count', default: 0 })
  replyCount!: number;
  @Column({ type: 'bigint', name: 'last_reply_id', nullable: true })
  lastReplyId!: number | null;
  @Column({ type: 'bigint', name: 'last_activity_id' }) lastActivityId!: number;
  @Column({ type: 'text', default: 'visible' }) visibility!: string;
  @Column({ type: 'bytea', name: 'series_prefix', nullable: true })
  seriesPrefix!: Buffer | null;
  @Column({ type: 'bytea', name: 'series_structure', nullable: true })
  seriesStructure!: Buffer | null;
  @Column({ type: 'text', name: 'project_keys', array: true, nullable: true })
  projectKeys!: string[] | null;
  @Column({ type: 'boolean', default: false }) promotion!: boolean;
  /** `removed` or null: the effect that `removed_by` must have. */
  @Column({ type: 'text', nullable: true }) removal!: string | null;
  @Column({ type: 'bigint', name: 'removed_by', nullable: true })
  removedBy!: number | null;
  @Column({ type: 'bigint', name: 'erased_by', nullable: true })
  erasedBy!: number | null;
  @Column({ type: 'bigint', name: 'visibility_by', nullable: true })
  visibilityBy!: number | null;
}
