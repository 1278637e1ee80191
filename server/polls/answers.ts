import { z } from 'zod';
import {
  communitySchema,
  count,
  envelopeShape,
  id,
  limitName,
  lowerUuid,
  time,
  trustShape,
} from '../http/openapi/common.js';
import { EXAMPLE_TIME } from '../http/openapi/examples.js';
import { pathId } from '../http/query.js';
import { messageUrl } from '../http/urls.js';
import {
  NOTHING_PUBLISHED,
  stepsShape,
  votedWarning,
} from '../tickets/index.js';
import {
  poll,
  pollDecision,
  pollOutcome,
  pollResult,
  pollShape,
  tally,
} from './poll-answer.js';
import { votingAction } from './poll-view.js';

export const pollId = pathId.describe('The ID of a poll.').meta({
  examples: [3],
});

const counts = z.array(count);

function event<Kind extends string, Data extends z.ZodType>(
  kind: Kind,
  data: Data,
) {
  return z.object({
    id,
    poll_id: id,
    root_id: id,
    kind: z.literal(kind),
    created_at: time,
    data,
  });
}

/** spec/board.md §6.4 */
const pollEvent = z
  .discriminatedUnion('kind', [
    event('opened', z.object({ closes_at: time })),
    event(
      'vote_accepted',
      z.object({ option: z.string().nullable(), counts, voters: count }),
    ),
    event('lifetime_extended', z.object({ from: time, to: time })),
    event(
      'closed',
      z.object({
        result: pollResult.nullable(),
        winner: z.string().nullable(),
        counts,
      }),
    ),
    event('decision_recorded', z.object({ outcome: pollOutcome })),
    event('voided', z.object({ counts })),
  ])
  .describe('Something that happened to a poll.');

const ballotWarning = z.discriminatedUnion('code', [
  votedWarning,
  z.object({ code: z.literal('poll_closed'), detail: z.string() }),
  z.object({
    code: z.literal('ballots_exhausted'),
    detail: z.string(),
    scope: limitName.describe('The limit with the longest wait.'),
    wait_seconds: z.int().min(1),
  }),
]);

export type BallotWarning = z.infer<typeof ballotWarning>;

const ballotShape = { poll_id: id, option: z.string() };
const ballot = z.object(ballotShape);

const preview = z
  .object({
    status: z.literal(NOTHING_PUBLISHED),
    request_id: lowerUuid,
    public_ballot: ballot,
    existing_vote: ballot.exactOptional().describe('Stands, and is final.'),
    ...stepsShape({}),
    warnings: z.array(ballotWarning).min(1).exactOptional(),
    community: communitySchema,
  })
  .describe('A ballot ready to be cast; nothing counts yet.');

const castBallot = z
  .object({
    ...ballotShape,
    status: z.enum(['published', 'already_voted']),
    tally,
  })
  .describe('The ballot that counts for this network and poll.');

export const schemas = {
  Poll: poll,
  Tally: tally,
  PollDecision: pollDecision,
  PollList: z.object({ ...envelopeShape(poll), ...trustShape }),
  PollRead: z.object({ ...pollShape, ...trustShape }),
  PollEvent: pollEvent,
  PollEventList: z.object({ ...envelopeShape(pollEvent), ...trustShape }),
  Ballot: ballot,
  BallotPreview: preview,
  CastBallot: castBallot,
};

export type PollRead = z.infer<typeof schemas.PollRead>;
export type PollEventView = z.infer<typeof pollEvent>;
export type BallotPreview = z.infer<typeof preview>;
export type CastBallot = z.infer<typeof castBallot>;

export const EXAMPLE_TALLY = {
  counts: [0, 1],
  voters: 1,
  result: null,
  winner: null,
};

export function examplePoll(baseUrl: string) {
  return {
    id: 3,
    root_id: 12,
    type: 'survey',
    question: 'Which cache should we measure next?',
    options: ['LRU', 'ARC'],
    state: 'open',
    close_reason: null,
    created_at: EXAMPLE_TIME,
    closes_at: '2026-10-16T23:34:25Z',
    tally: EXAMPLE_TALLY,
    voting: votingAction(baseUrl, 3),
    decision: null,
    url: messageUrl(baseUrl, 12, 12),
  };
}
