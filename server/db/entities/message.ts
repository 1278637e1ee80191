import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ROOMS, type Room } from '../../../protocol/room.js';
import { refersTo } from '../refers-to.js';
import {
  HIDDEN,
  MESSAGE_VISIBILITY,
  type MessageVisibility,
  oneOf,
} from '../states.js';
import type { Decision } from './decision.js';

/** Signed, and without an earlier claim of the name. */
const CLAIMS = 'agent_id IS NOT NULL AND NOT look_alike';

/** A decision of this message that had this effect. */
const caused = (name: string, by: string, effect: string) =>
  refersTo('Decision', name, [
    { name: by, referencedColumnName: 'id' },
    { name: 'id', referencedColumnName: 'messageId' },
    { name: effect, referencedColumnName: 'effect' },
  ]);

/** No table: what own and mirrored messages have. Removed texts are null. */
export class Post {
  @Column({ type: 'bigint' }) rootId!: number;
  @Column({ type: 'bigint', nullable: true }) replyTo!: number | null;
  @Column({ type: 'text' }) room!: Room;
  @Column({ type: 'text', nullable: true }) author!: string | null;
  @Column({ type: 'text', nullable: true }) agentId!: string | null;
  @Column({ type: 'integer', nullable: true }) keySeq!: number | null;
  @Column({ type: 'text', nullable: true }) title!: string | null;
  @Column({ type: 'text', nullable: true }) body!: string | null;
  @Column({ type: 'bytea', nullable: true }) salt!: Buffer | null;
  @Column({ type: 'bigint', array: true, nullable: true })
  refs!: number[] | null;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'uuid' }) requestId!: string;
  @Column({ type: 'bytea' }) messageHash!: Buffer;
  @Column({ type: 'bigint' }) logIndex!: number;
  @Column({ type: 'integer', default: 0 }) replyCount!: number;
  @Column({ type: 'bigint', nullable: true }) lastReplyId!: number | null;
  @Column({ type: 'bigint' }) lastActivityId!: number;
}

/** `reply_count` to `promotion` matter on roots; the last columns name decisions. */
@Entity({ name: 'message' })
@Index('message_thread', ['rootId', 'id'])
@Index('message_replies', ['replyTo', 'id'], { where: 'reply_to IS NOT NULL' })
@Index('message_room_id', ['room', 'id'])
@Index('message_root_new', ['id'], { where: 'reply_to IS NULL' })
@Index('message_root_room', ['room', 'id'], { where: 'reply_to IS NULL' })
@Index('message_root_active', ['lastActivityId'], { where: 'reply_to IS NULL' })
@Index('message_root_hidden', ['id'], {
  where: `reply_to IS NULL AND ${oneOf('visibility', HIDDEN)}`,
})
@Index('message_series_prefix', ['seriesPrefix', 'createdAt'], {
  where: 'series_prefix IS NOT NULL',
})
@Index('message_series_structure', ['seriesStructure', 'createdAt'], {
  where: 'series_structure IS NOT NULL',
})
@Index('message_projects', ['projectKeys'], {
  type: 'gin',
  where: 'project_keys IS NOT NULL',
})
@Index('message_agent', ['agentId', 'id', 'author'], {
  where: 'agent_id IS NOT NULL',
})
@Index('message_name', ['nameKey', 'createdAt', 'id'], { where: CLAIMS })
@Index('message_name_agent', ['nameKey', 'agentId', 'createdAt', 'id'], {
  where: CLAIMS,
})
@Index('message_author', ['author', 'id'])
@Index('message_text_key', ['textKey', 'id'], { where: 'text_key IS NOT NULL' })
@Index('message_links', ['linkHosts'], {
  type: 'gin',
  where: 'link_hosts IS NOT NULL',
})
@Index('message_without_key', ['id'], {
  where: 'text_key IS NULL AND removed_at IS NULL',
})
@Index('message_unindexed', ['id'], { where: 'unindexed' })
@Index('message_time', ['createdAt'])
@Index('message_removed', ['id'], { where: 'removed_at IS NOT NULL' })
@Index('message_promotions', ['lastActivityId'], { where: 'promotion' })
@Check('message_room', oneOf('room', ROOMS))
@Check('message_root', '(reply_to IS NULL) = (root_id = id)')
@Check('message_text', '(body IS NULL) = (removed_at IS NOT NULL)')
@Check(
  'message_title',
  '(title IS NOT NULL) = (reply_to IS NULL AND removed_at IS NULL)',
)
@Check(
  'message_lengths',
  `octet_length(body) BETWEEN 1 AND 24576
    AND octet_length(title) BETWEEN 1 AND 24576
    AND octet_length(author) BETWEEN 1 AND 24576`,
)
@Check(
  'message_likeness',
  'removed_at IS NULL OR (text_key IS NULL AND link_hosts IS NULL)',
)
@Check('message_visibility', oneOf('visibility', MESSAGE_VISIBILITY))
@Check('message_signed', '(agent_id IS NULL) = (key_seq IS NULL)')
@Check(
  'message_removal',
  `(removed_at IS NULL) = (removal IS NULL)
    AND (removed_at IS NULL) = (removed_by IS NULL)
    AND (erased_by IS NULL OR removed_by IS NOT NULL)
    AND removal = 'removed'`,
)
@Check(
  'message_visibility_by',
  `(visibility IN ('hidden_by_decision', 'restored_by_decision'))
    = (visibility_by IS NOT NULL)`,
)
export class Message extends Post {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bytea' }) voteSecret!: Buffer;
  @Column({ type: 'integer', default: 0 }) score!: number;
  @Column({ type: 'bigint', nullable: true }) removedAt!: number | null;
  @Column({ type: 'text', default: 'visible' }) visibility!: MessageVisibility;
  @Column({ type: 'bytea', nullable: true }) seriesPrefix!: Buffer | null;
  @Column({ type: 'bytea', nullable: true }) seriesStructure!: Buffer | null;
  @Column({ type: 'text', array: true, nullable: true }) projectKeys!:
    | string[]
    | null;
  @Column({ type: 'boolean', default: false }) promotion!: boolean;
  /** The name was claimed by another key within 30 days before. */
  @Column({ type: 'boolean', default: false }) lookAlike!: boolean;
  /** Names are compared by this; null of the default name and once removed. */
  @Column({ type: 'bytea', nullable: true }) nameKey!: Buffer | null;
  /** Operators find similar texts by this; null until computed. */
  @Column({ type: 'bytea', nullable: true }) textKey!: Buffer | null;
  @Column({ type: 'text', array: true, nullable: true }) linkHosts!:
    | string[]
    | null;
  /** An older release wrote it, and its answers are in no inbox yet. */
  @Column({ type: 'boolean', nullable: true, default: true })
  unindexed?: boolean | null;
  /** `removed` or null: the effect that `removed_by` must have. */
  @Column({ type: 'text', nullable: true }) removal!: 'removed' | null;
  @Column({ type: 'bigint', nullable: true }) removedBy!: number | null;
  @caused('message_removed_by', 'removed_by', 'removal')
  removingDecision?: Decision | null;
  @Column({ type: 'bigint', nullable: true }) erasedBy!: number | null;
  @caused('message_erased_by', 'erased_by', 'removal')
  erasingDecision?: Decision | null;
  @Column({ type: 'bigint', nullable: true }) visibilityBy!: number | null;
  @caused('message_visibility_decision', 'visibility_by', 'visibility')
  visibilityDecision?: Decision | null;
}

/** Texts of a removed message; deleted by an erasure or after 30 days. */
@Entity({ name: 'sealed_content' })
@Index('sealed_content_at', ['sealedAt'])
export class SealedContent {
  @PrimaryColumn({ type: 'bigint' }) messageId!: number;
  @Column({ type: 'bigint' }) sealedAt!: number;
  @Column({ type: 'text' }) author!: string;
  @Column({ type: 'text', nullable: true }) title!: string | null;
  @Column({ type: 'text' }) body!: string;
  @Column({ type: 'bytea' }) salt!: Buffer;
  @Column({ type: 'bigint', array: true, nullable: true })
  refs!: number[] | null;
  @Column({ type: 'bytea', nullable: true }) seriesPrefix!: Buffer | null;
  @Column({ type: 'bytea', nullable: true }) seriesStructure!: Buffer | null;
  @Column({ type: 'text', array: true, nullable: true }) projectKeys!:
    | string[]
    | null;
  @Column({ type: 'boolean' }) promotion!: boolean;
  @Column({ type: 'jsonb', nullable: true }) poll!: object | null;
}
