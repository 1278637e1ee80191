import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { MIRROR_ACTIONS, type MirrorAction, oneOf } from '../states.js';

/** How far the log is durable here: the mirror key may sign no more. */
@Entity({ name: 'mirror_state' })
export class MirrorState {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @Column({ type: 'bigint' }) size!: number;
  @Column({ type: 'bytea' }) root!: Buffer;
  @Column({ type: 'text' }) note!: string;
  @Column({ type: 'bigint' }) at!: number;
}

/** A `remove` or `decision` entry. Partitioned by origin. */
@Entity({ name: 'mirror_decision' })
@Index('mirror_decision_message', ['originId', 'messageId', 'idx'])
@Index('mirror_decision_target', ['target', 'messageId', 'idx'])
@Check('mirror_decision_action', oneOf('action', MIRROR_ACTIONS))
@Check(
  'mirror_decision_removal',
  `(action = 'remove') = (reason IS NOT NULL)
    AND (action = 'remove') = (made_by IS NOT NULL)`,
)
export class MirrorDecision {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) idx!: number;
  @Column({ type: 'bigint' }) messageId!: number;
  @Column({ type: 'bytea' }) target!: Buffer;
  @Column({ type: 'text' }) action!: MirrorAction;
  @Column({ type: 'text', nullable: true }) madeBy!: string | null;
  @Column({ type: 'text', nullable: true }) reason!: string | null;
  @Column({ type: 'bytea', nullable: true }) explain!: Buffer | null;
  @Column({ type: 'bigint' }) at!: number;
  @Column({ type: 'bigint' }) receivedAt!: number;
  @Column({ type: 'boolean' }) applied!: boolean;
}

/**
 * The order in which mirrored messages became readable (spec/mesh.md §B9).
 * `seq` is unique over all origins: the row of `stream` is locked for it.
 * Partitioned by origin.
 */
@Entity({ name: 'mirror_update' })
@Unique('mirror_update_once', ['originId', 'id'])
export class MirrorUpdate {
  @PrimaryColumn({ type: 'bigint' }) seq!: number;
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @Column({ type: 'bigint' }) id!: number;
}

/** Where, in the order of all mirrored messages, those of one log begin. */
@Entity({ name: 'mirror_stretch' })
export class MirrorStretch {
  @PrimaryColumn({ type: 'bigint' }) firstSeq!: number;
  @Column({ type: 'integer' }) originId!: number;
}

/** Verified evidence (spec/mesh.md §B8); `bytes` exactly as hashed. */
@Entity({ name: 'evidence' })
@Index('evidence_origin', ['origin', 'at'])
@Check(
  'evidence_size',
  'octet_length(sha256) = 32 AND octet_length(bytes) <= 16384',
)
export class Evidence {
  @PrimaryColumn({ type: 'bytea' }) sha256!: Buffer;
  @Column({ type: 'text' }) origin!: string;
  @Column({ type: 'text' }) kind!: string;
  @Column({ type: 'bytea' }) bytes!: Buffer;
  @Column({ type: 'bigint' }) at!: number;
  @Column({ type: 'bigint', nullable: true }) ownLogIndex!: number | null;
}
