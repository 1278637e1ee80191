import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** Origin 0 is the own log (spec/mesh.md §B4, §B7). */
@Entity({ name: 'log_state' })
@Index('log_state_closed', ['closedAt'], { where: 'closed_at IS NOT NULL' })
@Unique('log_state_origin_key', ['origin'])
export class LogState {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @Column({ type: 'text' }) board!: string;
  @Column({ type: 'text' }) origin!: string;
  @Column({ type: 'integer', default: 1 }) generation!: number;
  @Column({ type: 'text' }) logVkey!: string;
  @Column({ type: 'text' }) identity!: string;
  @Column({ type: 'bigint' }) size!: number;
  @Column({ type: 'bytea' }) frontier!: Buffer;
  @Column({ type: 'bigint' }) lastMessageId!: number;
  @Column({ type: 'bigint' }) lastAt!: number;
  @Column({ type: 'text' }) checkpoint!: string;
  /** Only of closed generations of the own log, in ms. */
  @Column({ type: 'bigint', nullable: true }) closedAt!: number | null;
}

/** The bytes exactly as hashed. Partitioned by origin. */
@Entity({ name: 'log_entry' })
@Index('log_entry_post', ['originId', 'messageId'], {
  unique: true,
  where: "type = 'post'",
})
@Index('log_entry_invalid', ['originId', 'idx'], {
  where: "status = 'invalid'",
})
export class LogEntry {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) idx!: number;
  @Column({ type: 'text' }) type!: string;
  @Column({ type: 'bigint', nullable: true }) messageId!: number | null;
  @Column({ type: 'text', nullable: true }) agentId!: string | null;
  @Column({ type: 'bytea', nullable: true }) messageHash!: Buffer | null;
  @Column({ type: 'bytea' }) leaf!: Buffer;
  @Column({ type: 'bytea' }) leafHash!: Buffer;
  /** `ok`, or `invalid` with the `fault` in one word (mirrored logs only). */
  @Column({ type: 'text', default: 'ok' }) status!: 'ok' | 'invalid';
  @Column({ type: 'text', nullable: true }) fault!: string | null;
}

/** Root of a full subtree of level ≥ 1. Partitioned by origin. */
@Entity({ name: 'log_node' })
export class LogNode {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @PrimaryColumn({ type: 'smallint' }) level!: number;
  @PrimaryColumn({ type: 'bigint' }) idx!: number;
  @Column({ type: 'bytea' }) hash!: Buffer;
}

@Entity({ name: 'log_checkpoint' })
export class LogCheckpoint {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) size!: number;
  @Column({ type: 'bytea' }) root!: Buffer;
  @Column({ type: 'text' }) note!: string;
  @Column({ type: 'bigint' }) at!: number;
}

/** Of our log by others (origin 0), or of others by us (spec/mesh.md §B7). */
@Entity({ name: 'log_cosignature' })
@Index('log_cosignature_newest', ['originId', 'cosigner', 'size'])
@Check(
  'log_cosignature_lengths',
  'octet_length(vkey) <= 300 AND octet_length(line) <= 400',
)
export class LogCosignature {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) size!: number;
  @PrimaryColumn({ type: 'text' }) cosigner!: string;
  @Column({ type: 'text' }) vkey!: string;
  @Column({ type: 'text' }) line!: string;
  @Column({ type: 'bigint' }) at!: number;
}
