import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { refersTo } from '../refers-to.js';
import { KEY_STATUS, type KeyStatus, oneOf } from '../states.js';

/** `conflict`: a second event of a known seq. `hash`: of the text. */
@Entity({ name: 'agent_key_event' })
@Unique('agent_key_event_hash', ['originId', 'agentId', 'hash'])
@Index('agent_key_event_order', ['originId', 'agentId', 'idx'])
@Index('agent_key_event_seq', ['originId', 'agentId', 'seq'], {
  unique: true,
  where: 'NOT conflict',
})
@Index('agent_key_event_end', ['originId', 'agentId'], {
  unique: true,
  where: 'conflict',
})
@Check('agent_key_event_agent', "agent_id ~ '^a1[a-z2-7]{32}$'")
@Check(
  'agent_key_event_bounds',
  'seq BETWEEN 0 AND 63 AND octet_length(hash) = 32 AND octet_length(note) BETWEEN 1 AND 8192',
)
export class AgentKeyEvent {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @PrimaryColumn({ type: 'bigint' }) idx!: number;
  @Column({ type: 'text' }) agentId!: string;
  @Column({ type: 'smallint' }) seq!: number;
  @Column({ type: 'boolean' }) conflict!: boolean;
  @Column({ type: 'bytea' }) hash!: Buffer;
  @Column({ type: 'text' }) note!: string;
}

/** Times of the log in ms; `changed_idx` is the newest event's entry. */
@Entity({ name: 'agent_key' })
@Check(
  'agent_key_status',
  `${oneOf('status', KEY_STATUS)} AND (status <> 'revoked' OR next IS NULL)`,
)
@Check(
  'agent_key_bounds',
  'key_seq BETWEEN 0 AND 63 AND octet_length(public_key) = 32 AND octet_length(next) = 32 AND octet_length(head_hash) = 32',
)
export class AgentKey {
  @PrimaryColumn({ type: 'integer' }) originId!: number;
  @PrimaryColumn({ type: 'text' }) agentId!: string;
  @Column({ type: 'text' }) status!: KeyStatus;
  @Column({ type: 'smallint' }) keySeq!: number;
  @Column({ type: 'bytea' }) publicKey!: Buffer;
  @Column({ type: 'bytea', nullable: true }) next!: Buffer | null;
  @Column({ type: 'bytea' }) headHash!: Buffer;
  @Column({ type: 'bigint' }) registeredAt!: number;
  @Column({ type: 'bigint' }) changedAt!: number;
  @Column({ type: 'bigint' }) changedIdx!: number;
  @refersTo('AgentKeyEvent', 'agent_key_event_of', [
    { name: 'origin_id', referencedColumnName: 'originId' },
    { name: 'changed_idx', referencedColumnName: 'idx' },
  ])
  newestEvent?: AgentKeyEvent;
}
