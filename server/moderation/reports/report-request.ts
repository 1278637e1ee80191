import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { BoardError } from '../../errors.js';
import { codePoints, positiveId, uuid } from '../../http/body/validate.js';
import { byLimits } from '../../http/openapi/by-limits.js';

const CARD_ID = /^[1-9][0-9]{0,14}-[1-9][0-9]{0,2}$/;

/** Body of POST /api/reports (spec/board.md §7). */
export const reportRequest = byLimits((limits) =>
  z.strictObject({
    request_id: uuid.describe('Also the key to the status of the report.'),
    kind: z
      .enum(['report', 'appeal', 'selection_error'])
      .describe('An appeal asks to look at a decision again.'),
    message_id: positiveId
      .optional()
      .describe('The message, removed or not; not of a selection_error.'),
    card_id: z
      .string()
      .regex(CARD_ID)
      .optional()
      .describe('The card of a selection; of a selection_error only.'),
    reason: z
      .enum([
        'spam',
        'advertising',
        'dangerous_instructions',
        'rating_visibility',
        'disagreement',
        'other',
      ])
      .describe('Disagreement alone never removes a message.'),
    detail: codePoints(limits.report_detail_code_points)
      .optional()
      .describe('For the operators only.'),
  }),
);

export type ReportRequest = z.infer<ReturnType<typeof reportRequest>>;

/** What is reported: a message, or one card of a selection. */
export type ReportSubject =
  | { messageId: number; cardId: null }
  | { messageId: null; cardId: string };

/**
 * The one subject of a report: a card for `selection_error`, else a message.
 * @throws BoardError `invalid_input` for both, neither or the wrong one.
 */
export function subjectOf(request: ReportRequest): ReportSubject {
  const { kind, message_id: messageId, card_id: cardId } = request;
  if (kind === 'selection_error') {
    if (messageId !== undefined) {
      throw invalid(
        'message_id',
        'A selection_error names a card, no message.',
      );
    }
    if (cardId !== undefined) return { messageId: null, cardId };
    throw invalid('card_id', 'Name the card of the selection in card_id.');
  }
  if (cardId !== undefined) {
    throw invalid('card_id', 'Only a selection_error names a card.');
  }
  if (messageId !== undefined) return { messageId, cardId: null };
  throw invalid('message_id', 'Name the message in message_id.');
}

function invalid(field: string, detail: string): BoardError {
  return new BoardError('invalid_input', detail, { field });
}

/** What makes a retry exact, kept only as a keyed hash. */
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
  ]);
  return createHmac('sha256', serverKey).update(text).digest();
}
