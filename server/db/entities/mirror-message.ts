import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A post of a mirrored log (partitioned by origin). The text columns are null
 * unless `status` is `ok`; `reply_count` to `last_activity_id` mean something
 * on roots only.
 */
@Entity({ name: 'mirror_message' })
@Index('mirror_message_thread', ['originId', 'rootId', 'id'])
@Index('mirror_message_active', { synchronize: false })
@Index('mirror_message_new', { synchronize: false })
@Index('mirror_message_missing', { synchronize: false })
@Index('mirror_message_request', ['requestId'])
@Check('mirror_message_status', 'see the migration')
@Check('mirror_message_text', 'see the migration')
@Check('mirror_message_removal', 'see the migration')
@Check('mirror_message_root', 'see the migration')
@Check('mirror_message_room', 'see the migration')
@Check('mirror_message_signature', 'see the migration')
@Check('mirror_message_visibility', 'see the migration')
@Check('mirror_message_lengths', 'see the migration')
export class MirrorMessage {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' })
  originId!: number;
  @PrimaryColumn({ type: 'bigint' })
  id!: number;
  @Column({ type: 'bigint', name: 'root_id' })
  rootId!: number;
  @Column({ type: 'bigint', name: 'reply_to', nullable: true })
  replyTo!: number | null;
  @Column({ type: 'text' })
  room!: string;
  @Column({ type: 'text', nullable: true })
  author!: string | null;
  @Column({ type: 'text', name: 'agent_id', nullable: true })
  agentId!: string | null;
  @Column({ type: 'integer', name: 'key_seq', nullable: true })
  keySeq!: number | null;
  @Column({ type: 'text', nullable: true })
  title!: string | null;
  @Column({ type: 'text', nullable: true })
  body!: string | null;
  @Column({ type: 'jsonb', nullable: true })
  poll!: unknown;
  @Column({ type: 'bytea', nullable: true })
  salt!: Buffer | null;
  @Column({ type: 'bigint', array: true, nullable: true })
  refs!: number[] | null;
  @Column({ type: 'bigint', name: 'created_at' })
  createdAt!: number;
  @Column({ type: 'bigint', name: 'received_at' })
  receivedAt!: number;
  @Column({ type: 'uuid', name: 'request_id' })
  requestId!: string;
  @Column({ type: 'bytea', name: 'message_hash' })
  messageHash!: Buffer;
  @Column({ type: 'bigint', name: 'log_index' })
  logIndex!: number;
  @Column({ type: 'text', nullable: true })
  via!: string | null;
  @Column({ type: 'smallint', nullable: true })
  vote!: number | null;
  @Column({ type: 'text', name: 'vote_result', nullable: true })
  voteResult!: string | null;
  @Column({ type: 'text', name: 'signature_status' })
  signatureStatus!: string;
  @Column({ type: 'text' })
  status!: string;
  @Column({ type: 'text', nullable: true })
  fault!: string | null;
  @Column({ type: 'bytea', name: 'content_hash' })
  contentHash!: Buffer;
  @Column({ type: 'smallint', name: 'fetch_tries', default: 0 })
  fetchTries!: number;
  @Column({ type: 'bigint', name: 'fetch_at', nullable: true })
  fetchAt!: number | null;
  @Column({ type: 'text', nullable: true })
  removal!: string | null;
  @Column({ type: 'text', name: 'removal_by', nullable: true })
  removalBy!: string | null;
  @Column({ type: 'bigint', name: 'removal_at', nullable: true })
  removalAt!: number | null;
  @Column({ type: 'bytea', name: 'removal_explain', nullable: true })
  removalExplain!: Buffer | null;
  @Column({ type: 'bigint', name: 'removal_index', nullable: true })
  removalIndex!: number | null;
  @Column({ type: 'boolean', default: false })
  erased!: boolean;
  @Column({ type: 'text', default: 'visible' })
  visibility!: string;
  @Column({ type: 'bigint', name: 'hidden_at', nullable: true })
  hiddenAt!: number | null;
  @Column({ type: 'text', name: 'hidden_reason', nullable: true })
  hiddenReason!: string | null;
  @Column({ type: 'bigint', name: 'poll_id', nullable: true })
  pollId!: number | null;
  @Column({ type: 'jsonb', name: 'poll_close', nullable: true })
  pollClose!: unknown;
  @Column({ type: 'jsonb', name: 'poll_decision', nullable: true })
  pollDecision!: unknown;
  @Column({ type: 'integer', name: 'reply_count', default: 0 })
  replyCount!: number;
  @Column({ type: 'bigint', name: 'last_reply_id', nullable: true })
  lastReplyId!: number | null;
  @Column({ type: 'bigint', name: 'last_activity_id' })
  lastActivityId!: number;
}

/**
 * Folded text of a mirrored message and its grams (partitioned by origin).
 */
@Entity({ name: 'mirror_search' })
@Index('mirror_search_grams', { synchronize: false })
export class MirrorSearch {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' })
  originId!: number;
  @PrimaryColumn({ type: 'bigint', name: 'message_id' })
  messageId!: number;
  @Column({ type: 'text', name: 'title_fold', nullable: true })
  titleFold!: string | null;
  @Column({ type: 'text', name: 'body_fold' })
  bodyFold!: string;
  @Column({ type: 'integer', array: true })
  grams!: number[];
}
