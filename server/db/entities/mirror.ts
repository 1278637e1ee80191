import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/**
 * Up to where a mirrored log is durable here: what our mirror key may sign.
 */
@Entity({ name: 'mirror_state' })
export class MirrorState {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' })
  originId!: number;
  @Column({ type: 'bigint' })
  size!: number;
  @Column({ type: 'bytea' })
  root!: Buffer;
  @Column({ type: 'text' })
  note!: string;
  @Column({ type: 'bigint' })
  at!: number;
}

/**
 * A `remove` or `decision` entry of a mirrored log (partitioned by origin).
 */
@Entity({ name: 'mirror_decision' })
@Index('mirror_decision_message', ['originId', 'messageId', 'idx'])
@Index('mirror_decision_target', ['target', 'messageId', 'idx'])
@Check('mirror_decision_action', 'see the migration')
@Check('mirror_decision_removal', 'see the migration')
export class MirrorDecision {
  @PrimaryColumn({ type: 'integer', name: 'origin_id' })
  originId!: number;
  @PrimaryColumn({ type: 'bigint' })
  idx!: number;
  @Column({ type: 'bigint', name: 'message_id' })
  messageId!: number;
  @Column({ type: 'bytea' })
  target!: Buffer;
  @Column({ type: 'text' })
  action!: string;
  @Column({ type: 'text', name: 'made_by', nullable: true })
  madeBy!: string | null;
  @Column({ type: 'text', nullable: true })
  reason!: string | null;
  @Column({ type: 'bytea', nullable: true })
  explain!: Buffer | null;
  @Column({ type: 'bigint' })
  at!: number;
  @Column({ type: 'bigint', name: 'received_at' })
  receivedAt!: number;
  @Column({ type: 'boolean' })
  applied!: boolean;
}

/**
 * The order in which mirrored messages became readable here (spec/mesh.md §B9),
 * partitioned by origin. No two have one `seq`, whatever their origin: the row
 * of `stream` is locked by whoever gives it.
 */
@Entity({ name: 'mirror_update' })
@Unique('mirror_update_once', ['originId', 'id'])
export class MirrorUpdate {
  @PrimaryColumn({ type: 'bigint' })
  seq!: number;
  @PrimaryColumn({ type: 'integer', name: 'origin_id' })
  originId!: number;
  @Column({ type: 'bigint' })
  id!: number;
}

/**
 * Where in the order of all mirrored messages those of one log begin; they
 * end where the next stretch begins.
 */
@Entity({ name: 'mirror_stretch' })
export class MirrorStretch {
  @PrimaryColumn({ type: 'bigint', name: 'first_seq' })
  firstSeq!: number;
  @Column({ type: 'integer', name: 'origin_id' })
  originId!: number;
}
