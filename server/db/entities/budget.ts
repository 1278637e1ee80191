import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Turns networks into counter names for one UTC day. */
@Entity({ name: 'day_key' })
export class DayKey {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @Column({ type: 'bytea' }) key!: Buffer;
}

/** Upper bound of all that a key spent; its row is the lock. */
@Entity({ name: 'budget_head' })
@Index('budget_head_at', ['at'])
export class BudgetHead {
  @PrimaryColumn({ type: 'text' }) scope!: string;
  @PrimaryColumn({ type: 'bytea' }) key!: Buffer;
  @Column({ type: 'bigint' }) total!: number;
  @Column({ type: 'bigint' }) at!: number;
}

@Entity({ name: 'budget_spend', synchronize: false })
@Index('budget_spend_key', ['scope', 'key', 'at'])
@Index('budget_spend_at', ['at'])
export class BudgetSpend {
  @PrimaryColumn({ type: 'text' }) scope!: string;
  @PrimaryColumn({ type: 'bytea' }) key!: Buffer;
  @PrimaryColumn({ type: 'bigint' }) at!: number;
}
