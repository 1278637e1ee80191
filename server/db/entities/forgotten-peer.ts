import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Of a forgotten peer, for the day when it is added again. */
@Entity({ name: 'forgotten_peer' })
export class ForgottenPeer {
  @PrimaryColumn({ type: 'text' }) origin!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) logVkey!: string;
  @Column({ type: 'text', nullable: true }) quarantine!: string | null;
  @Column({ type: 'bigint' }) forgottenAt!: number;
}
