import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { BoardError } from '../errors.js';
import { codePoints, positiveId, uuid } from '../http/validate.js';
import type { Limits } from '../limits.js';

const CARD_ID = /^[1-9][0-9]{0,14}-[1-9][0-9]{0,2}$/;

/** Body of POST /api/reports (board.md, Reports; decisions §7). */
export function reportRequest(limits: Limits) {
  return z.strictObject({
    request_id: uuid,
    kind: z.enum(['report', 'appeal', 'selection_error']),
    message_id: positiveId.optional(),
    card_id: z.string().regex(CARD_ID).optional(),
    reason: z.enum([
      'spam',
      'advertising',
      'dangerous_instructions',
      'rating_visibility',
      'disagreement',
      'other',
    ]),
    detail: codePoints(limits.report_detail_code_points).optional(),
  });
}

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
