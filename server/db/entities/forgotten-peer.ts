import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What is kept of a forgotten peer for the day when it is added again: the
 * confirmed key and why it was stopped.
 */
@Entity({ name: 'forgotten_peer' })
export class ForgottenPeer {
  @PrimaryColumn({ type: 'text' }) origin!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text', name: 'log_vkey' }) logVkey!: string;
  @Column({ type: 'text', nullable: true }) quarantine!: string | null;
  @Column({ type: 'bigint', name: 'forgotten_at' }) forgottenAt!: number;
}
