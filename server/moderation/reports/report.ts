import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  REPORT_KINDS,
  REPORT_REASONS,
  REPORT_STATUSES,
  type ReportKind,
} from '../../../protocol/moderation.js';
import { publicTime } from '../../clock.js';
import type { Report as StoredReport } from '../../db/entities/report.js';
import { invalid } from '../../errors.js';
import {
  byLimits,
  codePoints,
  positiveId,
  uuid,
} from '../../http/body/validate.js';
import { id, lowerUuid, time, url } from '../../http/openapi/common.js';
import { moderationUrl } from '../../http/urls.js';
import type { Remark } from './report-remark.js';

const CARD_ID = /^[1-9][0-9]{0,14}-[1-9][0-9]{0,2}$/;

export const reportRequest = byLimits((limits) =>
  z.strictObject({
    request_id: uuid.describe('Also the key to the status of the report.'),
    kind: z
      .enum(REPORT_KINDS)
      .describe('An appeal asks to look at a decision again.'),
    message_id: positiveId
      .optional()
      .describe('The message, removed or not; not of a selection_error.'),
    board: z.string().optional().describe('Of a mirrored message: its board.'),
    card_id: z
      .string()
      .regex(CARD_ID, 'must be the card_id of a selection, as 3-1')
      .optional()
      .describe('Of a selection_error only.'),
    reason: z
      .enum(REPORT_REASONS)
      .describe('Disagreement alone never removes a message.'),
    detail: codePoints(limits.report_detail_code_points)
      .optional()
      .describe(
        'For the operators only. The author of a signed message puts a removal request here.',
      ),
  }),
);

export type ReportRequest = z.infer<ReturnType<typeof reportRequest>>;

export type ReportSubject = Pick<
  StoredReport,
  'messageId' | 'cardId' | 'board' | 'mirroredId'
>;

const NOTHING = {
  messageId: null,
  cardId: null,
  board: null,
  mirroredId: null,
};

/**
 * A card for `selection_error`, else a message, of the named board if it is not
 * `own`.
 * @throws BoardError `invalid_input` for both, neither or the wrong one
 */
export function subjectOf(request: ReportRequest, own: string): ReportSubject {
  const { kind, message_id: messageId, card_id: cardId, board = own } = request;
  if (kind === 'selection_error') {
    if (messageId !== undefined) {
      throw invalid(
        'message_id',
        'A selection_error names a card, no message.',
      );
    }
    if (request.board !== undefined) {
      throw invalid('board', 'A selection_error names no board.');
    }
    if (cardId !== undefined) return { ...NOTHING, cardId };
    throw invalid('card_id', 'Name the card of the selection in card_id.');
  }
  if (cardId !== undefined) {
    throw invalid('card_id', 'Only a selection_error names a card.');
  }
  if (messageId !== undefined) {
    return board === own
      ? { ...NOTHING, messageId }
      : { ...NOTHING, board, mirroredId: messageId };
  }
  throw invalid('message_id', 'Name the message in message_id.');
}

/** A retry is exact when this keyed hash is equal. */
export function reportIdentity(
  serverKey: Buffer,
  request: ReportRequest,
): Buffer {
  const text = JSON.stringify([
    'report/v1',
    request.kind,
    request.message_id ?? null,
    request.card_id ?? null,
    request.reason,
    request.detail ?? '',
    ...(request.board === undefined ? [] : [request.board]),
  ]);
  return createHmac('sha256', serverKey).update(text).digest();
}

export type NewReport = Omit<
  StoredReport,
  'claimedBy' | 'firstClaimedAt' | 'answer'
> & { kind: ReportKind };

export function newReport(
  { request_id: requestId, kind, reason, detail }: ReportRequest,
  subject: ReportSubject,
  contentHash: Buffer,
  remark: Remark,
  reporter: Buffer | null,
  now: number,
): NewReport {
  const text = { kind, reason, detail: detail ?? null, contentHash, ...remark };
  const state = { status: 'received', createdAt: now, statusAt: now } as const;
  const settled = { decisionId: null, repeats: null };
  return {
    requestId,
    ...subject,
    reporter,
    ...text,
    ...state,
    ...settled,
  };
}

export const report = z
  .object({
    request_id: lowerUuid,
    status: z.enum(REPORT_STATUSES),
    kind: z.enum(REPORT_KINDS),
    message_id: id.exactOptional(),
    board: z
      .string()
      .exactOptional()
      .describe('Of a mirrored message: its own board.'),
    card_id: z.string().exactOptional().describe('Of a selection_error.'),
    created_at: time,
    status_url: url,
    decision_url: url.exactOptional(),
    note: z
      .string()
      .exactOptional()
      .describe('What the board found out about it when it came.'),
    answer: z
      .string()
      .exactOptional()
      .describe('What an operator answers, once it is settled. Plain text.'),
  })
  .describe('The receipt of a report; its text is never shown again.');

export type ReportReceipt = z.infer<typeof report>;

/** Shown to its holder; never the text. */
export const SHOWN = {
  requestId: true,
  kind: true,
  messageId: true,
  cardId: true,
  board: true,
  mirroredId: true,
  createdAt: true,
  status: true,
  note: true,
  answer: true,
  repeats: true,
} as const;

type Stored = Pick<StoredReport, keyof typeof SHOWN>;
export type ShownReport = Stored & { kind: ReportKind };

/** False for reports of watch rules. */
export function isFiled<R extends Pick<Stored, 'kind'>>(
  stored: R,
): stored is R & { kind: ReportKind } {
  return stored.kind !== 'watch';
}

/** spec/board.md §7. `decidedMessage`: of the decision about it, or null. */
export function reportView(
  it: ShownReport,
  decidedMessage: number | null,
  baseUrl: string,
): ReportReceipt {
  return {
    request_id: it.requestId,
    status: it.status,
    kind: it.kind,
    ...(it.messageId === null ? {} : { message_id: it.messageId }),
    ...(it.mirroredId === null ? {} : { message_id: it.mirroredId }),
    ...(it.board === null ? {} : { board: it.board }),
    ...(it.cardId === null ? {} : { card_id: it.cardId }),
    created_at: publicTime(it.createdAt),
    status_url: `${baseUrl}/api/reports/${it.requestId}`,
    ...(decidedMessage === null
      ? {}
      : { decision_url: moderationUrl(baseUrl, decidedMessage) }),
    ...(it.note === null ? {} : { note: it.note }),
    ...(it.answer === null ? {} : { answer: it.answer }),
  };
}
