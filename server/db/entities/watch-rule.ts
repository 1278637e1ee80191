import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** No table: what a rule and each of its versions have. */
export class RuleState {
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'boolean' }) paused!: boolean;
  /** As its schema allows it (`dashboard/watch-rules/watch-rule.ts`). */
  @Column({ type: 'jsonb' }) rule!: object;
  @Column({ type: 'bigint' }) changedAt!: number;
  /** An operator's alias. */
  @Column({ type: 'text' }) changedBy!: string;
}

/** Files a report about each message that it matches. */
@Entity({ name: 'watch_rule' })
@Check(
  'watch_rule_bounds',
  'char_length(name) BETWEEN 1 AND 60 AND version > 0',
)
export class WatchRule extends RuleState {
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  @Column({ type: 'integer' }) version!: number;
}

/** Every version of every rule; those of removed rules stay. */
@Entity({ name: 'watch_rule_version' })
export class WatchRuleVersion extends RuleState {
  @PrimaryColumn({ type: 'uuid' }) ruleId!: string;
  @PrimaryColumn({ type: 'integer' }) version!: number;
  @Column({ type: 'boolean', default: false }) removed!: boolean;
}
