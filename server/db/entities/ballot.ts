import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** One final choice of one network in one poll. */
@Entity({ name: 'ballot' })
@Unique('ballot_request', ['pollId', 'requestId'])
@Check('ballot_choice', 'choice BETWEEN 0 AND 7')
export class Ballot {
  @PrimaryColumn({ type: 'bigint', name: 'poll_id' }) pollId!: number;
  @PrimaryColumn({ type: 'bytea' }) voter!: Buffer;
  @Column({ type: 'smallint' }) choice!: number;
  @Column({ type: 'uuid', name: 'request_id' }) requestId!: string;
  @Column({ type: 'bigint' }) at!: number;
}
