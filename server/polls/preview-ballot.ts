import { z } from 'zod';
import type { Context } from '../context.js';
import { takeBudgets } from '../db/budgets.sql.js';
import { Message } from '../db/entities/message.js';
import { Ballot, Poll } from '../db/entities/poll.js';
import { BoardError } from '../errors.js';
import { uuid } from '../http/body/validate.js';
import { writeEndpoint } from '../http/endpoint.js';
import { EXAMPLE_UUID, exampleSteps } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import {
  NOTHING_PUBLISHED,
  type VotedWarning,
} from '../http/openapi/receipt.js';
import { requestState } from '../http/request-state.js';
import { community } from '../http/send.js';
import { PREVIEWED } from '../http/tool-part.js';
import {
  assertFewFailures,
  failuresBudget,
  findFailures,
  sealTicket,
  voterHash,
  votingSteps,
} from '../tickets/index.js';
import { type BallotPreview, pollId, schemas } from './answers.js';
import {
  type BallotChoice,
  ballotChecks,
  ballotPath,
  noSuchPoll,
} from './ballot-facts.js';

/** Body of POST /api/polls/{id}/votes/preview. */
export const previewRequest = z.strictObject({
  option: z.string().describe('One option, exactly as the poll has it.'),
  request_id: uuid.describe('A fresh UUID for each new ballot.'),
});

type Chosen = {
  option: number;
  voter: Buffer;
  /** The option this network has chosen already. */
  existing: string | null;
};

/**
 * Shows a ballot and issues its ticket (spec/board.md §6.1, §16.4). Every well-formed
 * request spends one preview.
 */
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
    title: 'Preview a ballot',
    description: `Prepares a final ballot in an open poll. Optional; one for a network and poll. ${PREVIEWED}`,
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
  limits: [
    'ballot_previews_per_network_hour',
    'ballot_previews_per_board_minute',
    'failed_tickets_per_network',
  ],
  counter: 'poll_vote_preview',
  handle: (ctx) => {
    const failuresOf = findFailures(ctx.writes);
    return async (asked) => {
      const { baseUrl } = ctx.config;
      const { body } = asked;
      const { id } = asked.params;
      const network = asked.network();
      const now = ctx.clock.now();
      const counters = await ctx.networkKeys.counterKeys(network);
      requestState(asked.req).spent = await takeBudgets(ctx.writes, {
        checks: ballotChecks('ballot_preview', counters),
        reported: asked.reported(counters),
        limits: ctx.limits,
        now,
      });
      const failures = await failuresOf({ network: counters, now });
      assertFewFailures(ctx, failures, now);
      const budget = failuresBudget(failures, ctx.limits, now);
      requestState(asked.req).budgets = [budget];
      const chosen = await choose(ctx, id, body.option, network);
      const { option, voter, existing } = chosen;
      const { request_id: requestId } = body;
      const path = ballotPath(id);
      const issued = sealTicket<BallotChoice>(ctx, path, {
        choice: { option, requestId },
        voter,
        now,
      });
      const json: BallotPreview = {
        status: NOTHING_PUBLISHED,
        request_id: requestId,
        public_ballot: { poll_id: id, option: body.option },
        ...(existing === null
          ? {}
          : { existing_vote: { poll_id: id, option: existing } }),
        ...votingSteps(issued, `${baseUrl}${path}`),
        ...(existing === null
          ? {}
          : { warnings: [votedAlready(body.option === existing)] }),
        community: community(baseUrl),
      };
      return { json };
    };
  },
});

async function choose(
  ctx: Context,
  pollId: number,
  text: string,
  network: Uint8Array,
): Promise<Chosen> {
  const { manager } = ctx.writes;
  const poll = await manager
    .createQueryBuilder(Poll, 'poll')
    .innerJoin(Message, 'topic', 'topic.id = poll.rootId')
    .select(['poll.id', 'poll.secret', 'poll.options'])
    .where('poll.id = :pollId AND topic.removedAt IS NULL', { pollId })
    .getOne();
  if (poll === null || poll.options === null) throw noSuchPoll();
  const option = poll.options.indexOf(text);
  if (option < 0) {
    throw new BoardError(
      'invalid_input',
      `\`option\` must be exactly one of the options in ${ctx.config.baseUrl}/api/polls/${pollId}, character by character.`,
      { field: 'option' },
    );
  }
  const voter = voterHash(ctx.keys.voter, poll.secret, network);
  const ballot = await manager.findOneBy(Ballot, { pollId, voter });
  const existing = ballot === null ? null : poll.options[ballot.choice];
  return { option, voter, existing: existing ?? null };
}

function votedAlready(isSame: boolean): VotedWarning {
  const has = 'This network has voted in this poll, which is final';
  return {
    code: 'already_voted',
    detail: isSame
      ? `${has}. There is nothing left to do: publishing answers 200 already_voted.`
      : `${has}: publishing answers 409 already_voted.`,
  };
}

function examplePreview(baseUrl: string) {
  return {
    status: NOTHING_PUBLISHED,
    request_id: EXAMPLE_UUID,
    public_ballot: { poll_id: 3, option: 'ARC' },
    ...exampleSteps(`${baseUrl}/api/polls/3/votes`),
    community: community(baseUrl),
  };
}
