import { z } from 'zod';
import {
  EXPLANATION_MAX,
  REPORT_KINDS,
  REPORT_STATUSES,
  type ReportKind,
  type ReportStatus,
} from '../../../protocol/moderation.js';
import { id, limit, requestIds, said, subject, uuid } from './fields.js';

/** Reports one by one, oldest first (spec/operators.md §2.4). */
export const listReportsInput = z.strictObject({
  status: z.enum(['open', 'all', ...REPORT_STATUSES]).default('open'),
  kind: z.enum(REPORT_KINDS).optional(),
  subject: subject.optional(),
  after: uuid.optional().describe('Go on behind this report.'),
  limit,
});

/** Settles reports without a new decision. */
export const settleReportsInput = z.strictObject({
  report_ids: requestIds.min(1),
  as: z.enum(['resolved', 'dismissed']),
  decision_id: id.optional().describe('The decision that settled them.'),
  private_note: said(EXPLANATION_MAX).optional(),
});

/** Takes or leaves a subject; its open reports are then in review. */
export const claimInput = z.strictObject({
  subject,
  take_over: z
    .boolean()
    .default(false)
    .describe("Takes another operator's claim."),
});

export type ListReportsInput = z.infer<typeof listReportsInput>;
export type SettleReportsInput = z.infer<typeof settleReportsInput>;
export type ClaimInput = z.infer<typeof claimInput>;

/** A report as operators see it; `detail` is null for viewers. */
export type ReportSeen = {
  request_id: string;
  subject: string;
  kind: ReportKind;
  reason: string;
  detail: string | null;
  status: ReportStatus;
  /** Milliseconds. */
  created_at: number;
  status_at: number;
  claimed_by: string | null;
  decision_id: number | null;
};

export type ReportPage = { data: ReportSeen[]; next: string | null };
