import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Verified evidence against an origin; `bytes` exactly as hashed (spec/mesh.md
 * §B8).
 */
@Entity({ name: 'evidence' })
@Index('evidence_origin', ['origin', 'at'])
@Check('evidence_size', 'see the migration')
export class Evidence {
  @PrimaryColumn({ type: 'bytea' })
  sha256!: Buffer;
  @Column({ type: 'text' })
  origin!: string;
  @Column({ type: 'text' })
  kind!: string;
  @Column({ type: 'bytea' })
  bytes!: Buffer;
  @Column({ type: 'bigint' })
  at!: number;
  @Column({ type: 'bigint', name: 'own_log_index', nullable: true })
  ownLogIndex!: number | null;
}
