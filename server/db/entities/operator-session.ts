import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { refersTo } from '../refers-to.js';
import { oneOf, SESSION_METHODS, type SessionMethod } from '../states.js';
import type { Operator } from './operator.js';

/** An answered challenge, until it would expire. */
@Entity({ name: 'operator_challenge' })
export class OperatorChallenge {
  @PrimaryColumn({ type: 'bytea' }) hash!: Buffer;
  @Column({ type: 'bigint' }) expiresAt!: number;
}

/** Its cookie is stored as SHA-256 only. */
@Entity({ name: 'operator_session' })
@Unique('operator_session_token', ['tokenHash'])
@Index('operator_session_operator', ['operatorId'])
@Check(
  'operator_session_method',
  `${oneOf('method', SESSION_METHODS)} AND octet_length(token_hash) = 32`,
)
export class OperatorSession {
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  @Column({ type: 'bytea' }) tokenHash!: Buffer;
  @Column({ type: 'uuid' }) operatorId!: string;
  @refersTo('Operator', 'operator_session_of')
  operator?: Operator;
  @Column({ type: 'text' }) label!: string;
  @Column({ type: 'text' }) method!: SessionMethod;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'bigint' }) seenAt!: number;
  @Column({ type: 'bigint' }) expiresAt!: number;
  @Column({ type: 'bigint' }) credentialAt!: number;
}

/** A failed sign-in, as tags under the day's key: never an address. */
@Entity({ name: 'operator_attempt' })
@Index('operator_attempt_pair', ['account', 'network', 'at'])
@Index('operator_attempt_at', ['at'])
export class OperatorAttempt {
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  @Column({ type: 'bytea' }) account!: Buffer;
  @Column({ type: 'bytea' }) network!: Buffer;
  @Column({ type: 'bigint' }) at!: number;
}

/** Attempts of a network over all names. */
@Entity({ name: 'operator_attempt_count' })
@Index('operator_attempt_count_quarter', ['quarter'])
export class OperatorAttemptCount {
  @PrimaryColumn({ type: 'bytea' }) network!: Buffer;
  /** Start of the quarter of an hour, in ms. */
  @PrimaryColumn({ type: 'bigint' }) quarter!: number;
  @Column({ type: 'smallint' }) attempts!: number;
}

/** A device that signed in before, by the hash of its cookie. */
@Entity({ name: 'operator_device' })
@Index('operator_device_operator', ['operatorId'])
@Index('operator_device_end', ['expiresAt'])
export class OperatorDevice {
  @PrimaryColumn({ type: 'bytea' }) tokenHash!: Buffer;
  @Column({ type: 'uuid' }) operatorId!: string;
  @Column({ type: 'uuid' }) sessionId!: string;
  @Column({ type: 'bigint' }) expiresAt!: number;
}

/** Append-only: each row hashes the one before. */
@Entity({ name: 'operator_audit' })
@Index('operator_audit_operator', ['operatorId', 'id'])
@Index('operator_audit_subject', ['subject', 'id'])
@Check(
  'operator_audit_hashes',
  'octet_length(previous) = 32 AND octet_length(hash) = 32',
)
export class OperatorAudit {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bigint' }) at!: number;
  @Column({ type: 'uuid', nullable: true }) operatorId!: string | null;
  @Column({ type: 'text' }) operator!: string;
  @Column({ type: 'uuid', nullable: true }) sessionId!: string | null;
  @Column({ type: 'text' }) action!: string;
  @Column({ type: 'text' }) subject!: string;
  @Column({ type: 'text', nullable: true }) before!: string | null;
  @Column({ type: 'text', nullable: true }) after!: string | null;
  @Column({ type: 'bytea' }) previous!: Buffer;
  @Column({ type: 'bytea' }) hash!: Buffer;
}
