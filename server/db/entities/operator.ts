import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  Unique,
} from 'typeorm';

/** One of the people who run the node; `alias` is all readers see of them. */
@Entity({ name: 'operator' })
@Unique('operator_name', ['name'])
@Index('operator_alias', { synchronize: false })
@Check('operator_role', "role IN ('viewer', 'moderator', 'admin')")
@Check('operator_state', "state IN ('active', 'disabled')")
@Check('operator_names', 'char_length(alias) BETWEEN 1 AND 48')
export class Operator {
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) alias!: string;
  @Column({ type: 'text' }) role!: string;
  @Column({ type: 'text' }) state!: string;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
}

/** A WebAuthn credential; `public_key` is the COSE key. */
@Entity({ name: 'operator_passkey' })
@Index('operator_passkey_operator', ['operatorId'])
@ForeignKey('Operator', ['operatorId'], ['id'], { name: 'operator_passkey_of' })
export class OperatorPasskey {
  @PrimaryColumn({ type: 'bytea', name: 'credential_id' })
  credentialId!: Buffer;
  @Column({ type: 'uuid', name: 'operator_id' }) operatorId!: string;
  @Column({ type: 'bytea', name: 'public_key' }) publicKey!: Buffer;
  @Column({ type: 'bigint' }) counter!: number;
  @Column({ type: 'text', array: true }) transports!: string[];
  @Column({ type: 'text' }) label!: string;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'bigint', name: 'used_at', nullable: true })
  usedAt!: number | null;
}

/** A scrypt hash, and the TOTP that goes with it; `totp_step` was used. */
@Entity({ name: 'operator_passphrase' })
@ForeignKey('Operator', ['operatorId'], ['id'], {
  name: 'operator_passphrase_of',
})
@Check('operator_passphrase_bounds', 'octet_length(salt) = 16')
export class OperatorPassphrase {
  @PrimaryColumn({ type: 'uuid', name: 'operator_id' }) operatorId!: string;
  @Column({ type: 'bytea' }) salt!: Buffer;
  @Column({ type: 'bytea' }) hash!: Buffer;
  @Column({ type: 'bytea' }) totp!: Buffer;
  @Column({ type: 'bigint', name: 'totp_step' }) totpStep!: number;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
}

/** A recovery code of 100 bits, as its SHA-256. */
@Entity({ name: 'operator_recovery' })
@Index('operator_recovery_operator', ['operatorId'])
@ForeignKey('Operator', ['operatorId'], ['id'], {
  name: 'operator_recovery_of',
})
export class OperatorRecovery {
  @PrimaryColumn({ type: 'bytea', name: 'code_hash' }) codeHash!: Buffer;
  @Column({ type: 'uuid', name: 'operator_id' }) operatorId!: string;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'bigint', name: 'used_at', nullable: true })
  usedAt!: number | null;
}

/** A set-up link, as the SHA-256 of its code. */
@Entity({ name: 'operator_invite' })
@Check('operator_invite_role', "role IN ('viewer', 'moderator', 'admin')")
export class OperatorInvite {
  @PrimaryColumn({ type: 'bytea', name: 'code_hash' }) codeHash!: Buffer;
  @Column({ type: 'text', nullable: true }) name!: string | null;
  @Column({ type: 'text' }) role!: string;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'bigint', name: 'expires_at' }) expiresAt!: number;
  @Column({ type: 'bigint', name: 'used_at', nullable: true })
  usedAt!: number | null;
}
