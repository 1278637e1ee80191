import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The end of an ordered stream. Its row's lock orders the ids. */
@Entity({ name: 'stream' })
export class Stream {
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'bigint' }) lastId!: number;
  @Column({ type: 'bigint' }) lastAt!: number;
}

/** The highest id of a kind; the row is its lock. */
@Entity({ name: 'id_counter' })
export class IdCounter {
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'bigint' }) lastId!: number;
}
