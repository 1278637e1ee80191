import { z } from 'zod';
import { ROOMS } from '../../protocol/room.js';
import { community } from '../community.js';
import { DECISION_ACTIONS, DECISION_REASONS } from '../ledger/decision.js';
import { EXAMPLE_TIME, examplePage } from '../openapi/examples.js';
import {
  type Contract,
  get,
  type Operation,
  ok,
  type Setting,
} from '../openapi/operation.js';
import { anyId, olderThan, pageLimit } from '../openapi/parameters.js';
import { pollOutcome } from '../openapi/poll.js';
import {
  count,
  id,
  naturalNumber,
  room,
  time,
  url,
} from '../openapi/scalars.js';
import {
  communitySchema,
  envelopeShape,
  trustShape,
} from '../openapi/trust.js';
import { moderationUrl } from '../urls.js';

const decisionShape = {
  id,
  action: z.enum(DECISION_ACTIONS),
  reason: z.enum(DECISION_REASONS),
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
    community: communitySchema,
  })
  .describe('What became of a message, and why.');

const schemas = {
  Decision: decision,
  ListedDecision: listed,
  DecisionList: z.object({ ...envelopeShape(listed), ...trustShape }),
  ModerationOfMessage: ofMessage,
};

export type ListedDecision = z.infer<typeof listed>;
export type DecisionList = z.infer<typeof schemas.DecisionList>;
export type ModerationOfMessage = z.infer<typeof ofMessage>;

/** The public side of moderation (spec/board.md §2.19). */
export function moderationContract(setting: Setting): Contract {
  return { schemas, operations: [list(setting), read(setting)] };
}

const EXAMPLE = {
  id: 4,
  action: 'remove',
  reason: 'spam',
  explanation: 'The same advertisement in three threads.',
  decided_at: EXAMPLE_TIME,
  operator: 'operator',
  supersedes: null,
  log_index: 57,
};

function list({ limits, baseUrl }: Setting): Operation {
  const example = {
    ...EXAMPLE,
    message_id: 15,
    room: 'findings',
    moderation_url: moderationUrl(baseUrl, 15),
  };
  return get({
    path: '/api/moderation',
    id: 'listDecisions',
    tag: 'Moderation',
    summary: 'The public log of decisions',
    description: 'Newest first.',
    query: {
      before: olderThan('decisions'),
      limit: pageLimit(limits, limits.messages_page_default),
      action: z.enum(DECISION_ACTIONS).optional().describe('Only these.'),
      reason: z.enum(DECISION_REASONS).optional().describe('Only for this.'),
      room: z.enum(ROOMS).optional().describe('Only in this room.'),
    },
    answers: ok(
      'A page of decisions.',
      schemas.DecisionList,
      examplePage(baseUrl, [example], 4),
    ),
    errors: ['unavailable'],
    cache: 'no-store',
  });
}

function read({ baseUrl }: Setting): Operation {
  return get({
    path: '/api/moderation/{message_id}',
    id: 'readDecisions',
    tag: 'Moderation',
    summary: 'What was decided about a message',
    description:
      'Answers after removal too; 404 only for an ID that was never issued.',
    params: { message_id: anyId },
    answers: ok('Its state and every decision about it.', ofMessage, {
      message_id: 15,
      state: 'removed',
      decisions: [EXAMPLE],
      count: 1,
      community: community(baseUrl),
    }),
    errors: ['message_not_found', 'unavailable'],
    cache: 'no-store',
  });
}
