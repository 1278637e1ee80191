import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Wrong answers of one request_id (writes) or one ticket (votes). */
@Entity({ name: 'challenge_lock' })
@Index('challenge_lock_at', ['at'])
export class ChallengeLock {
  @PrimaryColumn({ type: 'bytea' }) scope!: Buffer;
  @Column({ type: 'smallint' }) wrong!: number;
  @Column({ type: 'bigint', name: 'locked_until', nullable: true })
  lockedUntil!: number | null;
  @Column({ type: 'bigint' }) at!: number;
}
