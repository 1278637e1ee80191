import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What stays of a peer that was forgotten: the key that an operator confirmed,
 * and why it was stopped, for the day when it is added again. Evidence about
 * its log has a table of its own.
 */
@Entity({ name: 'forgotten_peer' })
export class ForgottenPeer {
  @PrimaryColumn({ type: 'text' }) origin!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text', name: 'log_vkey' }) logVkey!: string;
  /** Why it was quarantined; null where it was not. */
  @Column({ type: 'text', nullable: true }) quarantine!: string | null;
  @Column({ type: 'bigint', name: 'forgotten_at' }) forgottenAt!: number;
}
