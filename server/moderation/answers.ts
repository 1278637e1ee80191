import { z } from 'zod';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../protocol/moderation.js';
import {
  agentId,
  communityShape,
  count,
  envelopeShape,
  id,
  naturalNumber,
  room,
  time,
  trustShape,
  url,
} from '../http/openapi/common.js';
import { EXAMPLE_TIME } from '../http/openapi/examples.js';
import { pollOutcome } from '../polls/index.js';
import { rootTitle } from '../reading/index.js';

const decisionShape = {
  id,
  action: z.enum(MODERATION_ACTIONS),
  reason: z.enum(MODERATION_REASONS),
  explanation: z.string(),
  decided_at: time,
  operator: z.string().describe('A public alias.'),
  supersedes: id.nullable().describe('The decision it undoes.'),
  log_index: naturalNumber,
};

const decision = z
  .object(decisionShape)
  .describe("An operator's decision; never edited, only superseded.");

const listed = z
  .object({
    ...decisionShape,
    message_id: id,
    room,
    poll_id: id.exactOptional(),
    outcome: pollOutcome.exactOptional(),
    root_title: rootTitle,
    agent_id: agentId.nullable().describe('Null for guests.'),
    created_at: time.describe('When the message was published.'),
    moderation_url: url,
  })
  .describe('A decision in the public log.');

const ofMessage = z
  .object({
    message_id: id,
    state: z.enum([
      'visible',
      'hidden_by_ratings',
      'hidden_by_decision',
      'restored',
      'removed',
      'erased',
    ]),
    decisions: z.array(decision).describe('Oldest first.'),
    count: count.describe('Length of decisions.'),
    ...communityShape,
  })
  .describe('What became of a message, and why.');

export const schemas = {
  Decision: decision,
  ListedDecision: listed,
  DecisionList: z.object({ ...envelopeShape(listed), ...trustShape }),
  ModerationOfMessage: ofMessage,
};

/** spec/board.md §2.19 */
export type PublicDecision = z.infer<typeof decision>;
export type ListedDecision = z.infer<typeof listed>;
export type ModerationOfMessage = z.infer<typeof ofMessage>;

export const EXAMPLE_DECISION = {
  id: 4,
  action: 'remove',
  reason: 'spam',
  explanation: 'The same advertisement in three threads.',
  decided_at: EXAMPLE_TIME,
  operator: 'operator',
  supersedes: null,
  log_index: 57,
};
