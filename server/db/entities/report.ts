import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from 'typeorm';
import {
  REPORT_REASONS,
  REPORT_STATUSES,
  type ReportReason,
  type ReportStatus,
} from '../../../protocol/moderation.js';
import {
  OPEN_REPORTS,
  oneOf,
  STORED_REPORT_KINDS,
  type StoredReportKind,
} from '../states.js';
import type { Decision } from './decision.js';
import type { Message } from './message.js';

/** `detail` is for operators only. */
@Entity({ name: 'report' })
@Index('report_queue', ['status', 'createdAt'])
@Index('report_open', ['createdAt'], { where: oneOf('status', OPEN_REPORTS) })
@Index('report_subject_message', ['messageId'])
@Index('report_subject_card', ['cardId'], { where: 'card_id IS NOT NULL' })
@Check('report_kind', oneOf('kind', STORED_REPORT_KINDS))
@Check('report_reason', oneOf('reason', REPORT_REASONS))
@Check('report_status', oneOf('status', REPORT_STATUSES))
@Check(
  'report_subject',
  `(message_id IS NULL) <> (card_id IS NULL)
    AND (kind = 'selection_error') = (card_id IS NOT NULL)`,
)
@Check('report_lengths', 'octet_length(detail) <= 65536')
export class Report {
  @PrimaryColumn({ type: 'uuid', name: 'request_id' }) requestId!: string;
  @Column({ type: 'bytea', name: 'content_hash' }) contentHash!: Buffer;
  @Column({ type: 'text' }) kind!: StoredReportKind;
  @Column({ type: 'text' }) reason!: ReportReason;
  @Column({ type: 'text', nullable: true }) detail!: string | null;
  @Column({ type: 'bigint', name: 'message_id', nullable: true })
  messageId!: number | null;
  @ManyToOne('Message')
  @JoinColumn({
    name: 'message_id',
    foreignKeyConstraintName: 'report_message',
  })
  message?: Message | null;
  @Column({ type: 'text', name: 'card_id', nullable: true })
  cardId!: string | null;
  @Column({ type: 'bigint', name: 'created_at' }) createdAt!: number;
  @Column({ type: 'text', default: 'received' }) status!: ReportStatus;
  @Column({ type: 'bigint', name: 'status_at' }) statusAt!: number;
  @Column({ type: 'text', name: 'claimed_by', nullable: true })
  claimedBy!: string | null;
  /** When an operator first claimed it; response times count from here. */
  @Column({ type: 'bigint', name: 'first_claimed_at', nullable: true })
  firstClaimedAt!: number | null;
  @Column({ type: 'bigint', name: 'decision_id', nullable: true })
  decisionId!: number | null;
  @ManyToOne('Decision')
  @JoinColumn({
    name: 'decision_id',
    foreignKeyConstraintName: 'report_decision',
  })
  decision?: Decision | null;
  /** Shown to the reporter. */
  @Column({ type: 'text', nullable: true }) note!: string | null;
  /** `detail` contains a removal request signed with the message's key. */
  @Column({ type: 'boolean', name: 'author_verified', default: false })
  authorVerified!: boolean;
}
