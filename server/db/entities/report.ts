import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  REPORT_REASONS,
  REPORT_STATUSES,
  type ReportReason,
  type ReportStatus,
} from '../../../protocol/moderation.js';
import { refersTo } from '../refers-to.js';
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
@Index('report_reporter', ['statusAt'], { where: 'reporter IS NOT NULL' })
@Index('report_subject_mirrored', ['board', 'mirroredId'], {
  where: 'board IS NOT NULL',
})
@Index('report_subject_card', ['cardId'], { where: 'card_id IS NOT NULL' })
@Check('report_kind', oneOf('kind', STORED_REPORT_KINDS))
@Check('report_reason', oneOf('reason', REPORT_REASONS))
@Check('report_status', oneOf('status', REPORT_STATUSES))
@Check(
  'report_subject',
  `num_nonnulls(message_id, card_id, mirrored_id) = 1
    AND (mirrored_id IS NULL) = (board IS NULL)
    AND (kind = 'selection_error') = (card_id IS NOT NULL)`,
)
@Check('report_lengths', 'octet_length(detail) <= 65536')
export class Report {
  @PrimaryColumn({ type: 'uuid' }) requestId!: string;
  @Column({ type: 'bytea' }) contentHash!: Buffer;
  @Column({ type: 'text' }) kind!: StoredReportKind;
  @Column({ type: 'text' }) reason!: ReportReason;
  @Column({ type: 'text', nullable: true }) detail!: string | null;
  @Column({ type: 'bigint', nullable: true }) messageId!: number | null;
  @refersTo('Message', 'report_message')
  message?: Message | null;
  @Column({ type: 'text', nullable: true }) cardId!: string | null;
  /** Of a mirrored message: its board. No key: a board can be forgotten. */
  @Column({ type: 'text', nullable: true }) board!: string | null;
  /** Its ID there. */
  @Column({ type: 'bigint', nullable: true }) mirroredId!: number | null;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'text', default: 'received' }) status!: ReportStatus;
  @Column({ type: 'bigint' }) statusAt!: number;
  @Column({ type: 'text', nullable: true }) claimedBy!: string | null;
  /** When an operator first claimed it; response times count from here. */
  @Column({ type: 'bigint', nullable: true }) firstClaimedAt!: number | null;
  @Column({ type: 'bigint', nullable: true }) decisionId!: number | null;
  @refersTo('Decision', 'report_decision')
  decision?: Decision | null;
  /** The decision to keep that it came after, for the same reason. */
  @Column({ type: 'bigint', nullable: true }) repeats!: number | null;
  @refersTo('Decision', 'report_repeats', { name: 'repeats' })
  repeatedDecision?: Decision | null;
  /** Names no network elsewhere; in no backup, and deleted after 7 days. */
  @Column({ type: 'bytea', nullable: true }) reporter!: Buffer | null;
  /** Shown to the reporter. */
  @Column({ type: 'text', nullable: true }) note!: string | null;
  /** Of an operator to the reporter, once it is settled. */
  @Column({ type: 'text', nullable: true }) answer!: string | null;
  /** `detail` contains a removal request signed with the message's key. */
  @Column({ type: 'boolean', default: false }) authorVerified!: boolean;
}
