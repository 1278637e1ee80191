import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Final rating of one network. */
@Entity({ name: 'vote' })
@Index('vote_up_at', ['at'], { where: 'value = 1' })
@Index('vote_down_at', ['at'], { where: 'value = -1' })
@Check('vote_value', 'value IN (-1, 1)')
export class Vote {
  @PrimaryColumn({ type: 'bigint' }) messageId!: number;
  @PrimaryColumn({ type: 'bytea' }) voter!: Buffer;
  @Column({ type: 'smallint' }) value!: 1 | -1;
  @Column({ type: 'bigint' }) at!: number;
}
