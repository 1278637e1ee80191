import { z } from 'zod';
import type { Context } from '../context.js';
import { spendMore } from '../db/budgets.js';
import { takeBudgets } from '../db/budgets.sql.js';
import type { SuggestedAction } from '../errors.js';
import { notBlank } from '../http/body/validate.js';
import { writeEndpoint } from '../http/endpoint.js';
import { EXAMPLE_TICKET } from '../http/openapi/examples.js';
import { requestState } from '../http/request-state.js';
import {
  assertTicketSize,
  checkVotingTicket,
  failuresBudget,
  findFailures,
  openTicket,
  ticketInvalid,
  voterHash,
} from '../tickets/index.js';
import { type CastBallot, EXAMPLE_TALLY, pollId, schemas } from './answers.js';
import {
  acceptedBallot,
  type BallotChoice,
  type BallotFacts,
  ballotChecks,
  ballotFacts,
  ballotPath,
  noSuchPoll,
} from './ballot-facts.js';
import { BallotQueue, countOnce } from './count-ballot.js';

export const castRequest = z.strictObject({
  ticket: notBlank(z.string()).describe('Unchanged, from the preview.'),
  answer: notBlank(z.string()).describe('The answer to the challenge.'),
});

/** Once per network and poll, final (spec/board.md §6.2). */
export const castBallot = writeEndpoint({
  post: '/api/polls/:id/votes',
  id: 'castBallot',
  tag: 'Polls',
  summary: 'Cast a previewed ballot (final)',
  description:
    'The filled `publish.json_template` of the preview. Each request counts against the attempt limits. A new ballot also counts against the ballot limits.',
  about: 'casts the ballot a preview showed',
  params: { id: pollId },
  previewAt: 'preview',
  missing: noSuchPoll,
  tool: { name: 'publish' },
  body: () => ({
    schema: castRequest,
    example: { ticket: EXAMPLE_TICKET, answer: '65-harbor' },
  }),
  answers: () => ({
    201: {
      description: 'Counted.',
      json: { schema: schemas.CastBallot, example: exampleCast('published') },
    },
    200: {
      description: 'Counted before.',
      json: {
        schema: schemas.CastBallot,
        example: exampleCast('already_voted'),
      },
    },
  }),
  errors: [
    'ticket_invalid',
    'ticket_expired',
    'wrong_answer',
    'poll_not_found',
    'request_id_conflict',
    'already_voted',
    'poll_closed',
    'network_changed',
    'challenge_locked',
  ],
  limits: [
    'ballot_attempts_per_network_minute',
    'ballot_attempts_per_board_minute',
    'ballots_per_network_minute',
    'ballots_per_network_hour',
    'ballots_per_board_minute',
    'failed_tickets_per_network',
  ],
  counter: 'poll_vote_publish',
  accepts: true,
  handle: (ctx) => {
    const queue = new BallotQueue(ctx.timeoutFactor);
    const failuresOf = findFailures(ctx.writes);
    return async (asked) => {
      const { body } = asked;
      assertTicketSize(body.ticket, 'ballot');
      const network = asked.network();
      const now = ctx.clock.now();
      const counters = await ctx.networkKeys.counterKeys(network);
      const spent = await takeBudgets(ctx.writes, {
        checks: ballotChecks('ballot_attempt', counters),
        reported: asked.reported(counters),
        limits: ctx.limits,
        now,
      });
      const state = requestState(asked.req);
      state.spent = spent;
      const { id } = asked.params;
      const path = ballotPath(id);
      const ticket = openTicket<BallotChoice>(ctx, path, body.ticket, now);
      if (ticket === null) throw ticketInvalid(body.ticket, 'ballot');
      const facts = await ballotFacts(ctx, ctx.writes, id, ticket, [], now);
      const accepted = acceptedBallot(ctx, facts, ticket, now);
      if (accepted !== null) return { json: accepted };
      const { answer } = body;
      const { lock } = facts;
      const voter = voterHash(ctx.keys.voter, facts.secret, network);
      const failures = await failuresOf({ network: counters, now });
      state.budgets = [failuresBudget(failures, ctx.limits, now)];
      const voting = { answer, voter, counters, lock, failures };
      const again = previewAgain(ctx, facts, ticket.choice);
      await checkVotingTicket(ctx, ticket, voting, again);
      const counted = await queue.run(() =>
        countOnce(ctx, id, ticket, counters),
      );
      if (counted.status === 201) {
        state.spent = spendMore(spent, ['ballot'], now);
      }
      ctx.events.emit('polls');
      return { json: counted.answer, status: counted.status };
    };
  },
});

function previewAgain(
  ctx: Context,
  poll: BallotFacts,
  { option, requestId }: BallotChoice,
): SuggestedAction {
  return {
    method: 'POST',
    url: `${ctx.config.baseUrl}${ballotPath(poll.id)}/preview`,
    content_type: 'application/json',
    json_template: {
      option: poll.options?.[option],
      request_id: requestId,
    },
    instruction:
      'Preview the same option with the same request_id again and solve the new challenge.',
  };
}

function exampleCast(status: CastBallot['status']): CastBallot {
  return { poll_id: 3, option: 'ARC', status, tally: EXAMPLE_TALLY };
}
