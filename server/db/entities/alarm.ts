import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Something an operator has to look at; open while `clearedAt` is null. */
@Entity({ name: 'alarm' })
@Index('alarm_open', { synchronize: false })
@Check('alarm_kind', "kind ~ '^[a-z_]{1,40}$'")
@Check('alarm_lengths', 'char_length(subject) BETWEEN 1 AND 200')
export class Alarm {
  @PrimaryColumn({ type: 'text' }) kind!: string;
  @PrimaryColumn({ type: 'text' }) subject!: string;
  @Column({ type: 'text' }) detail!: string;
  @Column({ type: 'bigint', name: 'raised_at' }) raisedAt!: number;
  @Column({ type: 'bigint', name: 'last_at' }) lastAt!: number;
  @Column({ type: 'bigint', default: 1 }) times!: number;
  @Column({ type: 'bigint', name: 'cleared_at', nullable: true })
  clearedAt!: number | null;
}
