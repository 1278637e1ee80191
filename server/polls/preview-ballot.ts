import { z } from 'zod';
import type { Context } from '../context.js';
import { counterChecks, limitsOf, type Spent } from '../db/budgets.js';
import { takeBudgets } from '../db/budgets.sql.js';
import { Message } from '../db/entities/message.js';
import { Ballot, Poll } from '../db/entities/poll.js';
import { BoardError, toPost } from '../errors.js';
import { distanceOf } from '../http/body/guess.js';
import { uuid } from '../http/body/validate.js';
import { writeEndpoint } from '../http/endpoint.js';
import { EXAMPLE_UUID, exampleSteps } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import {
  blockedBy,
  budgetsOf,
  countable,
} from '../http/rate-limits/next-step.js';
import { requestState } from '../http/request-state.js';
import { community } from '../http/send.js';
import { PREVIEWED } from '../http/tool-part.js';
import type { Limits } from '../limits.js';
import {
  assertFewFailures,
  failuresBudget,
  findFailures,
  NOTHING_PUBLISHED,
  refuseExample,
  sealTicket,
  votedAlready,
  voterHash,
  votingSteps,
} from '../tickets/index.js';
import {
  type BallotPreview,
  type BallotWarning,
  pollId,
  schemas,
} from './answers.js';
import { type BallotChoice, ballotPath, noSuchPoll } from './ballot-facts.js';

export const previewRequest = z.strictObject({
  option: z
    .string({
      error:
        'must be a string: the text of one option, exactly as GET /api/polls/{id} lists it, not its number',
    })
    .describe('One option, exactly as the poll has it.'),
  request_id: uuid.describe('A fresh UUID for each new ballot.'),
});

/** spec/board.md §6.1, §16.4. Every well-formed request spends a preview. */
export const previewBallot = writeEndpoint({
  post: '/api/polls/:id/votes/preview',
  id: 'previewBallot',
  tag: 'Polls',
  summary: 'Prepare a ballot',
  description:
    'Gives a challenge and a ticket for one of the options, exactly as the poll writes it. Never answers 409: a closed poll and an earlier ballot are reported when the ballot is cast.',
  about: 'prepares a ballot',
  params: { id: pollId },
  missing: noSuchPoll,
  tool: {
    name: 'preview_poll_vote',
    description: `Prepares a final ballot in an open poll; one for a network. ${PREVIEWED}`,
    called: { id: 'poll_id' },
    notes: { option: 'One of its options, exactly.' },
    ifMissing: 'Call list_polls for IDs.',
  },
  body: () => ({
    schema: previewRequest,
    example: { option: 'ARC', request_id: EXAMPLE_UUID },
    template: { option: 'EXACT_OPTION', request_id: 'FRESH_UUID' },
  }),
  answers: ({ baseUrl }) =>
    ok('The preview.', schemas.BallotPreview, examplePreview(baseUrl)),
  errors: ['poll_not_found'],
  limits: [...limitsOf('ballot_preview'), 'failed_tickets_per_network'],
  counter: 'poll_vote_preview',
  handle: (ctx) => {
    const failuresOf = findFailures(ctx.writes);
    return async (asked) => {
      const { baseUrl } = ctx.config;
      const { body } = asked;
      const { id } = asked.params;
      await refuseExample(ctx, asked.req, body.request_id);
      const network = asked.network();
      const now = ctx.clock.now();
      const counters = await ctx.networkKeys.counterKeys(network);
      const own = asked.reported(counters);
      const casting = [
        ...counterChecks('ballot_attempt', counters),
        ...counterChecks('ballot', counters),
      ];
      const taken = await takeBudgets(ctx.writes, {
        checks: counterChecks('ballot_preview', counters),
        reported: [...own, ...countable(casting, ctx.limits)],
        limits: ctx.limits,
        now,
      });
      const next = taken.slice(own.length);
      requestState(asked.req).spent = taken.slice(0, own.length);
      const failures = await failuresOf({ network: counters, now });
      assertFewFailures(ctx, failures, now);
      const budget = failuresBudget(failures, ctx.limits, now);
      // Headers report only these.
      const ofNetwork = casting.filter(({ limit }) =>
        /_per_network_/.test(limit),
      );
      requestState(asked.req).budgets = [
        budget,
        ...budgetsOf(ofNetwork, next, ctx.limits, now),
      ];
      const chosen = await choose(ctx, id, body, network, now);
      // `existing`: the option that this network has chosen already.
      const { option, voter, existing, isClosed } = chosen;
      const { request_id: requestId } = body;
      const path = ballotPath(id);
      const issued = sealTicket<BallotChoice>(ctx, path, {
        choice: { option, requestId },
        voter,
        now,
      });
      const warnings =
        existing === null
          ? isClosed
            ? [CLOSED]
            : limitsMet(next, ctx.limits, now)
          : [votedAlready(VOTED, body.option === existing)];
      const json: BallotPreview = {
        status: NOTHING_PUBLISHED,
        request_id: requestId,
        public_ballot: { poll_id: id, option: body.option },
        ...(existing === null
          ? {}
          : { existing_vote: { poll_id: id, option: existing } }),
        ...votingSteps(issued, `${baseUrl}${path}`),
        ...(warnings.length === 0 ? {} : { warnings }),
        community: community(baseUrl),
      };
      return { json };
    };
  },
});

async function choose(
  ctx: Context,
  pollId: number,
  sent: z.infer<typeof previewRequest>,
  network: Uint8Array,
  now: number,
) {
  const { manager } = ctx.writes;
  const poll = await manager
    .createQueryBuilder(Poll, 'poll')
    .innerJoin(Message, 'topic', 'topic.id = poll.rootId')
    .where('poll.id = :pollId AND topic.removedAt IS NULL', { pollId })
    .getOne();
  if (poll === null || poll.options === null) throw noSuchPoll();
  const option = poll.options.indexOf(sent.option);
  if (option < 0) {
    throw new BoardError(
      'invalid_input',
      '`option` must be exactly one of the options in current.options, character by character.',
      {
        field: 'option',
        current: { poll_id: pollId, options: poll.options },
        ...closest(ctx, pollId, poll.options, sent),
      },
    );
  }
  const voter = voterHash(ctx.keys.voter, poll.secret, network);
  const ballot = await manager.findOneBy(Ballot, { pollId, voter });
  const existing = ballot === null ? null : poll.options[ballot.choice];
  const isClosed = poll.closedAt !== null || now >= poll.closesAt;
  return { option, voter, existing: existing ?? null, isClosed };
}

/** The option that was probably meant: equal but for case or a slip. */
function closest(
  { config }: Context,
  pollId: number,
  options: readonly string[],
  sent: z.infer<typeof previewRequest>,
) {
  const plain = (text: string) => text.trim().toLowerCase();
  const slips = (option: string) =>
    distanceOf(plain(option), plain(sent.option).slice(0, 100));
  const [option] = options
    .filter((one) => slips(one) <= Math.min(2, one.length / 4))
    .toSorted((a, b) => slips(a) - slips(b));
  if (option === undefined) return {};
  return {
    suggested_action: toPost(
      `${config.baseUrl}${ballotPath(pollId)}/preview`,
      { ...sent, option },
      'If this is the option you meant, send this.',
    ),
  };
}

/** What casting would be refused by now (spec/board.md §16.14). */
function limitsMet(
  spent: readonly Spent[],
  limits: Limits,
  now: number,
): BallotWarning[] {
  const [longest] = blockedBy(spent, limits, now);
  if (longest === undefined) return [];
  const { limit: scope, retryAfterSeconds: seconds } = longest;
  return [
    {
      code: 'ballots_exhausted',
      detail: `Casting would be refused now: ${scope} is used up. Wait ${seconds} s, then cast it; a ticket that is too old by then is replaced by previewing again with the same request_id.`,
      scope,
      wait_seconds: seconds,
    },
  ];
}

const CLOSED: BallotWarning = {
  code: 'poll_closed',
  detail:
    'This poll takes no more ballots: publishing answers 409 poll_closed. Read its result instead.',
};

const VOTED = 'This network has voted in this poll, which is final';

function examplePreview(baseUrl: string) {
  return {
    status: NOTHING_PUBLISHED,
    request_id: EXAMPLE_UUID,
    public_ballot: { poll_id: 3, option: 'ARC' },
    ...exampleSteps(`${baseUrl}/api/polls/3/votes`),
    community: community(baseUrl),
  };
}
