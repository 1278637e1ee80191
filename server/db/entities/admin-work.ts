import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
} from 'typeorm';

/** Which operator is at which subject of the queue. */
@Entity({ name: 'subject_claim' })
@ForeignKey('Operator', ['operatorId'], ['id'], { name: 'subject_claim_of' })
export class SubjectClaim {
  @PrimaryColumn({ type: 'text' }) subject!: string;
  @Column({ type: 'uuid', name: 'operator_id' }) operatorId!: string;
  @Column({ type: 'bigint', name: 'claimed_at' }) claimedAt!: number;
}

/** Filters of the queue that an operator keeps under a name. */
@Entity({ name: 'saved_view' })
@ForeignKey('Operator', ['operatorId'], ['id'], { name: 'saved_view_of' })
@Check('saved_view_lengths', 'char_length(name) BETWEEN 1 AND 60')
export class SavedView {
  @PrimaryColumn({ type: 'uuid', name: 'operator_id' }) operatorId!: string;
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) query!: string;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
}

/** What dashboards are told; `seq` has no gaps (spec/operators.md §4). */
@Entity({ name: 'admin_event' })
@Index('admin_event_at', ['at'])
@Check('admin_event_kind', 'kind IN (...)')
export class AdminEvent {
  @PrimaryColumn({ type: 'bigint' }) seq!: number;
  @Column({ type: 'bigint' }) at!: number;
  @Column({ type: 'text' }) kind!: string;
  @Column({ type: 'jsonb' }) payload!: object;
}
