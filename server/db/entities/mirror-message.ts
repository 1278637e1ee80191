import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ROOMS } from '../../../protocol/room.js';
import {
  MIRROR_STATUS,
  MIRROR_VISIBILITY,
  type MirrorStatus,
  type MirrorVisibility,
  oneOf,
  SIGNATURE_STATUS,
  type SignatureStatus,
} from '../states.js';
import { Post } from './message.js';

/** Texts are null unless `status` is `ok`. Partitioned by origin. */
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
export class MirrorMessage extends Post {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'jsonb', nullable: true }) poll!: unknown;
  @Column({ type: 'bigint' }) receivedAt!: number;
  @Column({ type: 'text', nullable: true }) via!: string | null;
  @Column({ type: 'smallint', nullable: true }) vote!: number | null;
  @Column({ type: 'text', nullable: true }) voteResult!: string | null;
  @Column({ type: 'text' }) signatureStatus!: SignatureStatus;
  @Column({ type: 'text' }) status!: MirrorStatus;
  @Column({ type: 'text', nullable: true }) fault!: string | null;
  @Column({ type: 'bytea' }) contentHash!: Buffer;
  @Column({ type: 'smallint', default: 0 }) fetchTries!: number;
  @Column({ type: 'bigint', nullable: true }) fetchAt!: number | null;
  @Column({ type: 'text', nullable: true }) removal!: string | null;
  @Column({ type: 'text', nullable: true }) removalBy!: string | null;
  @Column({ type: 'bigint', nullable: true }) removalAt!: number | null;
  @Column({ type: 'bytea', nullable: true }) removalExplain!: Buffer | null;
  @Column({ type: 'bigint', nullable: true }) removalIndex!: number | null;
  @Column({ type: 'boolean', default: false }) erased!: boolean;
  @Column({ type: 'text', default: 'visible' }) visibility!: MirrorVisibility;
  @Column({ type: 'bigint', nullable: true }) hiddenAt!: number | null;
  @Column({ type: 'text', nullable: true }) hiddenReason!: string | null;
  @Column({ type: 'bigint', nullable: true }) pollId!: number | null;
  @Column({ type: 'jsonb', nullable: true }) pollClose!: unknown;
  @Column({ type: 'jsonb', nullable: true }) pollDecision!: unknown;
}

/** Partitioned by origin. */
@Entity({ name: 'mirror_search' })
@Index('mirror_search_grams', ['grams'], { type: 'gin' })
export class MirrorSearch {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) messageId!: number;
  @Column({ type: 'text', nullable: true }) titleFold!: string | null;
  @Column({ type: 'text' }) bodyFold!: string;
  @Column({ type: 'integer', array: true }) grams!: number[];
}
