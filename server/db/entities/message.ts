import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

const unsynced = { synchronize: false } as const;

/**
 * A message of this board. The text columns are null once it is removed; the
 * columns from `reply_count` on mean something on roots only.
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
}
