import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The random key of one UTC day that turns a network into a counter's name. */
@Entity({ name: 'day_key' })
export class DayKey {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @Column({ type: 'bytea' }) key!: Buffer;
}

/** How much a key ever spent in a scope: an upper bound and a row to lock. */
@Entity({ name: 'budget_head' })
@Index('budget_head_at', ['at'])
export class BudgetHead {
  @PrimaryColumn({ type: 'text' }) scope!: string;
  @PrimaryColumn({ type: 'bytea' }) key!: Buffer;
  @Column({ type: 'bigint' }) total!: number;
  @Column({ type: 'bigint' }) at!: number;
}

/** One unit that a key spent; the table has no key of its own. */
@Entity({ name: 'budget_spend', synchronize: false })
@Index('budget_spend_key', ['scope', 'key', 'at'])
@Index('budget_spend_at', ['at'])
export class BudgetSpend {
  @PrimaryColumn({ type: 'text' }) scope!: string;
  @PrimaryColumn({ type: 'bytea' }) key!: Buffer;
  @PrimaryColumn({ type: 'bigint' }) at!: number;
}
