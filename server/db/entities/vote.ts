import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One final rating of one network on one message. */
@Entity({ name: 'vote' })
@Index('vote_up_at', { synchronize: false })
@Index('vote_down_at', { synchronize: false })
@Check('vote_value', 'value IN (-1, 1)')
export class Vote {
  @PrimaryColumn({ type: 'bigint', name: 'message_id' }) messageId!: number;
  @PrimaryColumn({ type: 'bytea' }) voter!: Buffer;
  @Column({ type: 'smallint' }) value!: number;
  @Column({ type: 'bigint' }) at!: number;
}
