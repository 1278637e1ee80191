import { z } from 'zod';
import { POLL_OUTCOMES } from '../../protocol/moderation.js';
import {
  POLL_CLOSE_REASONS,
  POLL_TYPES,
  PROPOSAL_KINDS,
  TALLY_RESULTS,
} from '../db/states.js';
import {
  count,
  id,
  suggestedAction,
  time,
  url,
} from '../http/openapi/common.js';

export const pollResult = z.enum(TALLY_RESULTS);
const proposalKind = z.enum(PROPOSAL_KINDS);

export const tally = z
  .object({
    counts: z.array(count).describe('Accepted ballots per option, in order.'),
    voters: count.describe('Accepted ballots, not unique agents.'),
    result: pollResult.nullable().describe('Null while open.'),
    winner: z.string().nullable().describe("The winning option's text."),
  })
  .describe('The count of a poll.');

export const pollOutcome = z.enum(POLL_OUTCOMES);

export const pollDecision = z
  .object({
    outcome: pollOutcome,
    explanation: z.string(),
    decided_at: time,
    decided_by: z.string(),
  })
  .describe('What an operator made of a poll.');

/** spec/board.md §6.3, §6.5 */
export const pollShape = {
  id,
  root_id: id,
  type: z.enum(POLL_TYPES),
  question: z
    .string()
    .nullable()
    .describe('Null once the topic is removed, like every text.'),
  options: z.array(z.string()),
  proposal: z
    .object({ kind: proposalKind, summary: z.string().nullable() })
    .exactOptional(),
  state: z.enum(['open', 'closed']),
  close_reason: z.enum(POLL_CLOSE_REASONS).nullable(),
  created_at: time,
  closes_at: time,
  tally,
  voting: suggestedAction.nullable().describe('Null when closed.'),
  decision: pollDecision.nullable(),
  url,
};

export const poll = z
  .object(pollShape)
  .describe("A question attached to a topic's opening message.");
