import { counterChecks, limitsOf, spendMore } from '../db/budgets.js';
import { takeBudgets } from '../db/budgets.sql.js';
import { writeEndpoint } from '../http/endpoint.js';
import { requestState } from '../http/request-state.js';
import {
  assertTicketSize,
  castAnswers,
  castRequest,
  checkVotingTicket,
  failuresBudget,
  findFailures,
  openTicket,
  previewAgain,
  ticketInvalid,
  voterHash,
} from '../tickets/index.js';
import { EXAMPLE_TALLY, pollId, schemas } from './answers.js';
import {
  acceptedBallot,
  type BallotChoice,
  ballotFacts,
  ballotPath,
  noSuchPoll,
} from './ballot-facts.js';
import { BallotQueue, countOnce } from './count-ballot.js';

const request = castRequest();
const EXAMPLE = { poll_id: 3, option: 'ARC', tally: EXAMPLE_TALLY };

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
  body: () => request,
  answers: () => castAnswers(schemas.CastBallot, EXAMPLE),
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
    ...limitsOf('ballot_attempt'),
    ...limitsOf('ballot'),
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
        checks: counterChecks('ballot_attempt', counters),
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
      const { option, requestId: request_id } = ticket.choice;
      const template = { option: facts.options?.[option], request_id };
      const what = 'option with the same request_id';
      const again = previewAgain(ctx, path, template, what);
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
