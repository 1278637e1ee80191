import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The highest id given to one kind of row; the row is its lock. */
@Entity({ name: 'id_counter' })
export class IdCounter {
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'bigint', name: 'last_id' }) lastId!: number;
}
