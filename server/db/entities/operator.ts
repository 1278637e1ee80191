import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  OneToOne,
  PrimaryColumn,
  Unique,
} from 'typeorm';
import { refersTo } from '../refers-to.js';
import {
  OPERATOR_ROLES,
  OPERATOR_STATES,
  type OperatorRole,
  type OperatorState,
  oneOf,
} from '../states.js';

/** Readers see only `alias`. */
@Entity({ name: 'operator' })
@Unique('operator_name', ['name'])
// Unique, on lower(alias): TypeORM has no indexes of expressions.
@Index('operator_alias', { synchronize: false })
@Check('operator_role', oneOf('role', OPERATOR_ROLES))
@Check('operator_state', oneOf('state', OPERATOR_STATES))
@Check(
  'operator_names',
  `name ~ '^[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?$'
    AND char_length(alias) BETWEEN 1 AND 48`,
)
export class Operator {
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) alias!: string;
  @Column({ type: 'text' }) role!: OperatorRole;
  @Column({ type: 'text' }) state!: OperatorState;
  @Column({ type: 'bigint' }) createdAt!: number;
}

/** `public_key` is the COSE key. */
@Entity({ name: 'operator_passkey' })
@Index('operator_passkey_operator', ['operatorId'])
export class OperatorPasskey {
  @PrimaryColumn({ type: 'bytea' }) credentialId!: Buffer;
  @Column({ type: 'uuid' }) operatorId!: string;
  @refersTo('Operator', 'operator_passkey_of')
  operator?: Operator;
  @Column({ type: 'bytea' }) publicKey!: Buffer;
  @Column({ type: 'bigint' }) counter!: number;
  @Column({ type: 'text', array: true }) transports!: string[];
  @Column({ type: 'text' }) label!: string;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'bigint', nullable: true }) usedAt!: number | null;
}

/** A scrypt hash and its TOTP; `totp_step` is the last used step. */
@Entity({ name: 'operator_passphrase' })
@Check(
  'operator_passphrase_bounds',
  'octet_length(salt) = 16 AND octet_length(hash) = 32',
)
export class OperatorPassphrase {
  @PrimaryColumn({ type: 'uuid' }) operatorId!: string;
  @OneToOne('Operator')
  @JoinColumn({ foreignKeyConstraintName: 'operator_passphrase_of' })
  operator?: Operator;
  @Column({ type: 'bytea' }) salt!: Buffer;
  @Column({ type: 'bytea' }) hash!: Buffer;
  @Column({ type: 'bytea' }) totp!: Buffer;
  @Column({ type: 'bigint' }) totpStep!: number;
  @Column({ type: 'bigint' }) createdAt!: number;
}

/** 100 bits, as SHA-256. */
@Entity({ name: 'operator_recovery' })
@Index('operator_recovery_operator', ['operatorId'])
export class OperatorRecovery {
  @PrimaryColumn({ type: 'bytea' }) codeHash!: Buffer;
  @Column({ type: 'uuid' }) operatorId!: string;
  @refersTo('Operator', 'operator_recovery_of')
  operator?: Operator;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'bigint', nullable: true }) usedAt!: number | null;
}

/** As the SHA-256 of its code. */
@Entity({ name: 'operator_invite' })
@Check(
  'operator_invite_role',
  `${oneOf('role', OPERATOR_ROLES)} AND (name IS NOT NULL OR role = 'admin')`,
)
export class OperatorInvite {
  @PrimaryColumn({ type: 'bytea' }) codeHash!: Buffer;
  @Column({ type: 'text', nullable: true }) name!: string | null;
  @Column({ type: 'text' }) role!: OperatorRole;
  /** The link ends with this admin's right; null: the command line. */
  @Column({ type: 'uuid', nullable: true }) madeBy!: string | null;
  @refersTo(
    'Operator',
    'operator_invite_by',
    { name: 'made_by' },
    { onDelete: 'CASCADE' },
  )
  maker?: Operator | null;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'bigint' }) expiresAt!: number;
  @Column({ type: 'bigint', nullable: true }) usedAt!: number | null;
}
