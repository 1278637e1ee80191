import { z } from 'zod';
import { peerLimits } from '../../../mesh/peer-port.js';
import {
  EXPLANATION_MAX,
  MODERATION_ACTIONS,
  MODERATION_REASONS,
  POLL_OUTCOMES,
  reasonsOf,
} from '../../../protocol/moderation.js';
import { PEER_CONTENT, PEER_DECISIONS, PEER_TRUST } from '../../db/states.js';
import { explanation, id, requestIds, said, subject } from './fields.js';

// What the commands that change something are given.

const privateNote = said(EXPLANATION_MAX)
  .optional()
  .describe('For operators only.');

const decision = z.strictObject({
  action: z.enum(MODERATION_ACTIONS).describe('What is decided.'),
  id: id.describe('A message, or the poll of a `poll_decision`.'),
  reason: z
    .enum(MODERATION_REASONS)
    .optional()
    .describe('Why, by the action; a `poll_decision` may leave it out.'),
  explanation: explanation.describe(
    `Public and permanent, 1 to ${EXPLANATION_MAX} characters.`,
  ),
  private_note: privateNote,
  supersedes: id.optional().describe('The decision that this one undoes.'),
  report_ids: requestIds.optional().describe('The reports it settles.'),
  outcome: z
    .enum(POLL_OUTCOMES)
    .optional()
    .describe('Of a `poll_decision`, and of no other.'),
  seen: id
    .nullable()
    .optional()
    .describe('The newest decision the operator saw; null for none.'),
});

/** What every decision says. */
export const ruling = decision.pick({
  action: true,
  reason: true,
  explanation: true,
  private_note: true,
  outcome: true,
});

type Fields = Pick<z.infer<typeof decision>, 'action' | 'reason' | 'outcome'>;

/** Which fields go together, as `[field, sentence]`; null when they do. */
function misfit(it: Fields): [keyof Fields, string] | null {
  const { action, outcome } = it;
  if (action === 'poll_decision') {
    if (outcome !== undefined) return it.reason ? misnamed(it) : null;
    return ['outcome', `must be one of ${POLL_OUTCOMES.join(', ')}`];
  }
  if (outcome !== undefined) {
    return ['outcome', 'must be left out: only a poll_decision has one'];
  }
  return misnamed(it);
}

/** A reason that the action does not take (spec/operators.md §5.5). */
export function misnamed({
  action,
  reason,
}: Fields): ['reason', string] | null {
  const reasons = reasonsOf(action);
  if (reason !== undefined && reasons.includes(reason)) return null;
  return ['reason', `must be one of ${reasons.join(', ')} for ${action}`];
}

/** A moderation decision as an operator records it (spec/operators.md §2.1). */
export const decideInput = decision.superRefine(fits);

/** Refuses fields that do not go together. */
export function fits(it: Fields, refinement: z.RefinementCtx): void {
  refuse(misfit(it), refinement);
}

function refuse(
  fault: [string, string] | null,
  refinement: z.RefinementCtx,
): void {
  if (fault === null) return;
  const [field, message] = fault;
  refinement.addIssue({ code: 'custom', path: [field], message });
}

/** Settles reports without a new decision. */
export const settleReportsInput = z.strictObject({
  report_ids: requestIds.min(1).describe('The reports.'),
  as: z
    .enum(['resolved', 'dismissed'])
    .describe('`dismissed`: they are unfounded.'),
  decision_id: id.optional().describe('The decision that settled them.'),
  private_note: privateNote,
});

/** Takes or leaves a subject; its open reports are then in review. */
export const claimInput = z.strictObject({
  subject,
  take_over: z
    .boolean()
    .default(false)
    .describe("Takes another operator's claim."),
});

const NAME_MAX = 60;

/** A wording for decisions; `{{…}}` are placeholders to fill. */
export const saveTemplateInput = z
  .strictObject({
    name: said(NAME_MAX),
    action: z.enum(MODERATION_ACTIONS),
    reason: z.enum(MODERATION_REASONS),
    explanation: said(EXPLANATION_MAX),
  })
  .superRefine((it, refinement) => refuse(misnamed(it), refinement));

/** A filter of the queue under a name, for the operator alone. */
export const saveViewInput = z.strictObject({
  name: said(NAME_MAX),
  query: z.string().max(2000).describe('As in the address: `kind=card&…`.'),
});

export const named = z.strictObject({ name: said(NAME_MAX) });

const day = z.iso.date();
const note = z.string().max(EXPLANATION_MAX).describe('Public.');

/** Computes the figures of a period and keeps them as a draft. */
export const draftUsefulnessInput = z.strictObject({
  id: id.optional().describe('A draft to compute again.'),
  from: day.describe('The first UTC day, YYYY-MM-DD.'),
  to: day.describe('The UTC day after the last (not included).'),
  note: note.default(''),
});

/** Shows exactly what would be published, or publishes it for good. */
export const publishUsefulnessInput = z.strictObject({
  id: id.describe('The draft.'),
  note: note.optional().describe("Instead of the draft's."),
});

export const discardUsefulnessInput = z.strictObject({
  id: id.describe('The draft.'),
});

/** Ends an alert by an operator's word. */
export const settleAlertInput = z.strictObject({
  kind: said(40).describe('Such as `equivocation`.'),
  subject: said(200).describe('What it is about, as it is shown.'),
  note: said(1000).describe('Why it is over; for other operators.'),
});

const board = said(300).describe('The name of a board, or its URL.');
const vkey = said(300).describe('The log key that the identity shows.');
const trust = z.enum(PEER_TRUST);
const content = z.enum(PEER_CONTENT);
const quota = z.int().min(0).nullable();

/** What operators do with peers (spec/mesh.md §B8). */
export const peerInput = z.strictObject({ board });

export const addPeerInput = z.strictObject({
  url: said(300),
  confirm: vkey.exactOptional(),
  trust: trust.exactOptional(),
  content: content.exactOptional(),
});

export const confirmPeerInput = z.strictObject({
  board,
  log_vkey: vkey,
  address: said(300)
    .describe('The address that is confirmed, as it was seen.')
    .exactOptional(),
});

export const trustPeerInput = z.strictObject({
  board,
  trust: trust.exactOptional(),
  content: content.exactOptional(),
  decisions: z.enum(PEER_DECISIONS).exactOptional(),
});

export const limitPeerInput = z.strictObject({
  board,
  ...peerLimits(() => quota.exactOptional()),
  probation: z.literal(false).exactOptional(),
});

export const blockPeerInput = z.strictObject({
  board,
  reason: said(1000).exactOptional(),
});

export const hideMirroredInput = z.strictObject({
  board,
  id,
  reason: said(1000).exactOptional(),
  undo: z.boolean().exactOptional(),
});

export const policyInput = z.strictObject({
  policy: z.unknown(),
  apply: z.boolean().default(false),
});
