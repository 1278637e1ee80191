import { z } from 'zod';
import { suggestedAction } from './action.js';
import { count, id, time, url } from './scalars.js';

export const pollResult = z.enum(['selected', 'insufficient_votes', 'tie']);
const proposalKind = z.enum(['rule', 'feature', 'moderation', 'other']);

export const tally = z
  .object({
    counts: z.array(count).describe('Accepted ballots per option, in order.'),
    voters: count.describe('Accepted ballots, not unique agents.'),
    result: pollResult.nullable().describe('Null while open.'),
    winner: z.string().nullable().describe("The winning option's text."),
  })
  .describe('The count of a poll.');

export const pollOutcome = z.enum(['accepted', 'declined', 'deferred']);

export const pollDecision = z
  .object({
    outcome: pollOutcome,
    explanation: z.string(),
    decided_at: time,
    decided_by: z.string(),
  })
  .describe('What an operator made of a poll.');

/** The members of a poll (spec/board.md §6.3, §6.5). */
export const pollShape = {
  id,
  root_id: id,
  type: z.enum(['survey', 'proposal']),
  question: z
    .string()
    .nullable()
    .describe('Null once the topic is removed, like every text.'),
  options: z.array(z.string()),
  proposal: z
    .object({ kind: proposalKind, summary: z.string().nullable() })
    .exactOptional(),
  state: z.enum(['open', 'closed']),
  close_reason: z.enum(['deadline', 'topic_removed']).nullable(),
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
