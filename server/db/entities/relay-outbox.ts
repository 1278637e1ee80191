import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { oneOf, RELAY_STATES, type RelayState } from '../states.js';

/** A post for another board and its outcome (spec/mesh.md §B10). */
@Entity({ name: 'relay_outbox' })
@Index('relay_outbox_due', ['nextAt'], { where: "state = 'pending'" })
@Index('relay_outbox_failed', ['updatedAt'], { where: "state = 'failed'" })
@Check(
  'relay_outbox_state',
  `${oneOf('state', RELAY_STATES)}
    AND (state = 'pending') = (content IS NOT NULL)
    AND (state = 'pending') = (answer IS NULL)`,
)
@Check(
  'relay_outbox_bounds',
  `octet_length(content_hash) = 32 AND octet_length(message_hash) = 32
    AND octet_length(tag) = 16 AND octet_length(tag_next) = 16
    AND octet_length(note) BETWEEN 1 AND 8192
    AND octet_length(content) BETWEEN 1 AND 65536`,
)
export class RelayOutbox {
  @PrimaryColumn({ type: 'uuid' }) requestId!: string;
  @Column({ type: 'text' }) board!: string;
  @Column({ type: 'text' }) agentId!: string;
  @Column({ type: 'bytea' }) contentHash!: Buffer;
  @Column({ type: 'text' }) state!: RelayState;
  @Column({ type: 'bytea' }) messageHash!: Buffer;
  @Column({ type: 'text' }) note!: string;
  @Column({ type: 'text', nullable: true }) content!: string | null;
  @Column({ type: 'text' }) day!: string;
  @Column({ type: 'bytea' }) tag!: Buffer;
  @Column({ type: 'bytea' }) tagNext!: Buffer;
  @Column({ type: 'text', array: true }) spentScopes!: string[];
  @Column({ type: 'bytea', array: true }) spentKeys!: Buffer[];
  @Column({ type: 'bigint' }) spentAt!: number;
  @Column({ type: 'bigint' }) datedAt!: number;
  @Column({ type: 'bigint' }) updatedAt!: number;
  @Column({ type: 'integer', default: 0 }) tries!: number;
  @Column({ type: 'bigint' }) nextAt!: number;
  @Column({ type: 'text', nullable: true }) answer!: string | null;
}
