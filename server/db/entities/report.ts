import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
} from 'typeorm';

/** A report, appeal or selection error; `detail` is for operators only. */
@Entity({ name: 'report' })
@Index('report_queue', ['status', 'createdAt'])
@Index('report_subject_message', ['messageId'])
@Index('report_open', { synchronize: false })
@Index('report_subject_card', { synchronize: false })
@ForeignKey('Message', ['messageId'], ['id'], { name: 'report_message' })
@ForeignKey('Decision', ['decisionId'], ['id'], { name: 'report_decision' })
@Check('report_kind', "kind IN ('report', 'appeal', 'selection_error')")
@Check('report_reason', 'reason IN (...)')
@Check('report_status', 'status IN (...)')
@Check('report_subject', '(message_id IS NULL) <> (card_id IS NULL)')
@Check('report_lengths', 'octet_length(detail) <= 65536')
export class Report {
  @PrimaryColumn({ type: 'uuid', name: 'request_id' }) requestId!: string;
  @Column({ type: 'bytea', name: 'content_hash' }) contentHash!: Buffer;
  @Column({ type: 'text' }) kind!: string;
  @Column({ type: 'text' }) reason!: string;
  @Column({ type: 'text', nullable: true }) detail!: string | null;
  @Column({ type: 'bigint', name: 'message_id', nullable: true })
  messageId!: number | null;
  @Column({ type: 'text', name: 'card_id', nullable: true })
  cardId!: string | null;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'text', default: 'received' }) status!: string;
  @Column({ type: 'bigint', name: 'status_at' }) statusAt!: number;
  @Column({ type: 'text', name: 'claimed_by', nullable: true })
  claimedBy!: string | null;
  @Column({ type: 'bigint', name: 'decision_id', nullable: true })
  decisionId!: number | null;
}
