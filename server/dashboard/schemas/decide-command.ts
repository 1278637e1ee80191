import { z } from 'zod';
import {
  EXPLANATION_MAX,
  MODERATION_ACTIONS,
  MODERATION_REASONS,
  POLL_OUTCOMES,
} from '../../../protocol/moderation.js';
import { explanation, id, requestIds, said } from './fields.js';

const fields = z.strictObject({
  action: z.enum(MODERATION_ACTIONS),
  id: id.describe('A message, or the poll of a `poll_decision`.'),
  reason: z
    .enum(MODERATION_REASONS)
    .optional()
    .describe('May be left out of a `poll_decision` alone.'),
  explanation: explanation.describe('Public, for ever.'),
  private_note: said(EXPLANATION_MAX).optional(),
  supersedes: id.optional().describe('The decision that this one undoes.'),
  report_ids: requestIds.optional().describe('The reports it settles.'),
  outcome: z.enum(POLL_OUTCOMES).optional(),
  seen: id
    .nullable()
    .optional()
    .describe('The newest decision the operator saw; null for none.'),
});

type Fields = z.infer<typeof fields>;

/** Which fields go together, as `[field, sentence]`; null when they do. */
function misfit(it: Fields): [keyof Fields, string] | null {
  const { action, reason, outcome } = it;
  if (action === 'poll_decision') {
    if (outcome !== undefined) return null;
    return ['outcome', `must be one of ${POLL_OUTCOMES.join(', ')}`];
  }
  if (outcome !== undefined) {
    return ['outcome', 'must be left out: only a poll_decision has one'];
  }
  if (reason === undefined) {
    return ['reason', `must be one of ${MODERATION_REASONS.join(', ')}`];
  }
  if (action === 'erase' && reason !== 'legal') {
    return [
      'reason',
      'must be "legal": a text is erased for legal causes only',
    ];
  }
  if (action === 'remove' && reason === 'disagreement') {
    return ['reason', 'must not be "disagreement": it never removes a message'];
  }
  return null;
}

/** A moderation decision as an operator records it (spec/operators.md §2.1). */
export const decideInput = fields.superRefine((it, refinement) => {
  const fault = misfit(it);
  if (fault === null) return;
  const [field, message] = fault;
  refinement.addIssue({ code: 'custom', path: [field], message });
});

export type DecideInput = z.infer<typeof decideInput>;
