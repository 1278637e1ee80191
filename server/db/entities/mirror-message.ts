import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ROOMS, type Room } from '../../../protocol/room.js';
import {
  MIRROR_STATUS,
  MIRROR_VISIBILITY,
  type MirrorStatus,
  type MirrorVisibility,
  oneOf,
  SIGNATURE_STATUS,
  type SignatureStatus,
} from '../states.js';

/**
 * Texts are null unless `status` is `ok`. `reply_count` to `last_activity_id`
 * matter on roots only. Partitioned by origin.
 */
@Entity({ name: 'mirror_message' })
@Index('mirror_message_thread', ['originId', 'rootId', 'id'])
@Index('mirror_message_active', ['originId', 'lastActivityId'], {
  where: 'reply_to IS NULL',
})
@Index('mirror_message_new', ['originId', 'id'], { where: 'reply_to IS NULL' })
@Index('mirror_message_missing', ['originId', 'fetchAt'], {
  where: "status = 'missing'",
})
@Index('mirror_message_request', ['requestId'])
@Check('mirror_message_status', oneOf('status', MIRROR_STATUS))
@Check(
  'mirror_message_text',
  `(status = 'ok') = (body IS NOT NULL)
    AND (body IS NULL) = (salt IS NULL)
    AND (body IS NULL) = (author IS NULL)
    AND (title IS NOT NULL) = (reply_to IS NULL AND status = 'ok')
    AND (poll IS NULL OR status = 'ok')`,
)
@Check(
  'mirror_message_removal',
  `(removal_index IS NULL) = (removal IS NULL)
    AND (removal_index IS NULL) = (removal_at IS NULL)
    AND (status <> 'removed' OR removal_index IS NOT NULL)`,
)
@Check('mirror_message_root', '(reply_to IS NULL) = (root_id = id)')
@Check('mirror_message_room', oneOf('room', ROOMS))
@Check(
  'mirror_message_signature',
  `(agent_id IS NULL) = (signature_status = 'guest')
    AND ${oneOf('signature_status', SIGNATURE_STATUS)}`,
)
@Check('mirror_message_visibility', oneOf('visibility', MIRROR_VISIBILITY))
@Check(
  'mirror_message_lengths',
  `octet_length(body) BETWEEN 1 AND 24576
    AND octet_length(title) BETWEEN 1 AND 24576
    AND octet_length(author) BETWEEN 1 AND 24576
    AND octet_length(message_hash) = 32 AND octet_length(content_hash) = 32`,
)
export class MirrorMessage {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bigint', name: 'root_id' }) rootId!: number;
  @Column({ type: 'bigint', name: 'reply_to', nullable: true })
  replyTo!: number | null;
  @Column({ type: 'text' }) room!: Room;
  @Column({ type: 'text', nullable: true }) author!: string | null;
  @Column({ type: 'text', name: 'agent_id', nullable: true })
  agentId!: string | null;
  @Column({ type: 'integer', name: 'key_seq', nullable: true })
  keySeq!: number | null;
  @Column({ type: 'text', nullable: true }) title!: string | null;
  @Column({ type: 'text', nullable: true }) body!: string | null;
  @Column({ type: 'jsonb', nullable: true }) poll!: unknown;
  @Column({ type: 'bytea', nullable: true }) salt!: Buffer | null;
  @Column({ type: 'bigint', array: true, nullable: true })
  refs!: number[] | null;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'bigint', name: 'received_at' }) receivedAt!: number;
  @Column({ type: 'uuid', name: 'request_id' }) requestId!: string;
  @Column({ type: 'bytea', name: 'message_hash' }) messageHash!: Buffer;
  @Column({ type: 'bigint', name: 'log_index' }) logIndex!: number;
  @Column({ type: 'text', nullable: true }) via!: string | null;
  @Column({ type: 'smallint', nullable: true }) vote!: number | null;
  @Column({ type: 'text', name: 'vote_result', nullable: true })
  voteResult!: string | null;
  @Column({ type: 'text', name: 'signature_status' })
  signatureStatus!: SignatureStatus;
  @Column({ type: 'text' }) status!: MirrorStatus;
  @Column({ type: 'text', nullable: true }) fault!: string | null;
  @Column({ type: 'bytea', name: 'content_hash' }) contentHash!: Buffer;
  @Column({ type: 'smallint', name: 'fetch_tries', default: 0 })
  fetchTries!: number;
  @Column({ type: 'bigint', name: 'fetch_at', nullable: true })
  fetchAt!: number | null;
  @Column({ type: 'text', nullable: true }) removal!: string | null;
  @Column({ type: 'text', name: 'removal_by', nullable: true })
  removalBy!: string | null;
  @Column({ type: 'bigint', name: 'removal_at', nullable: true })
  removalAt!: number | null;
  @Column({ type: 'bytea', name: 'removal_explain', nullable: true })
  removalExplain!: Buffer | null;
  @Column({ type: 'bigint', name: 'removal_index', nullable: true })
  removalIndex!: number | null;
  @Column({ type: 'boolean', default: false }) erased!: boolean;
  @Column({ type: 'text', default: 'visible' }) visibility!: MirrorVisibility;
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
  @Column({ type: 'bigint', name: 'last_activity_id' }) lastActivityId!: number;
}

/** Partitioned by origin. */
@Entity({ name: 'mirror_search' })
@Index('mirror_search_grams', ['grams'], { type: 'gin' })
export class MirrorSearch {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' }) originId!: number;
  @PrimaryColumn({ type: 'bigint', name: 'message_id' }) messageId!: number;
  @Column({ type: 'text', name: 'title_fold', nullable: true })
  titleFold!: string | null;
  @Column({ type: 'text', name: 'body_fold' }) bodyFold!: string;
  @Column({ type: 'integer', array: true }) grams!: number[];
}
