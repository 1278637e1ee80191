import { z } from 'zod';
import type { Context } from '../context.js';
import type { Sql } from '../db/sql.js';
import type { SuggestedAction } from '../errors.js';
import { notBlank } from '../http/body/validate.js';
import { writeEndpoint } from '../http/endpoint.js';
import { EXAMPLE_TICKET } from '../http/openapi/examples.js';
import { takeBudgets } from '../http/rate-limits/take-budgets.js';
import {
  TICKET_COLUMNS,
  type TicketRow,
  ticketHash,
  ticketInvalid,
  ticketOf,
} from '../tickets/ticket.js';
import { checkVotingTicket } from '../tickets/voting.js';
import { type CastBallot, pollId, schemas } from './answers.js';
import { ballotAttemptChecks } from './ballot-budgets.js';
import {
  acceptedBallot,
  type BallotDraft,
  type BallotFacts,
  type BallotTicket,
  ballotFacts,
  noSuchPoll,
} from './ballot-facts.js';
import { BallotQueue } from './ballot-queue.js';
import { countOnce } from './count-ballot.js';
import { EXAMPLE_TALLY } from './examples.js';

/** Body of POST /api/polls/{id}/votes: the filled json_template. */
export const castRequest = z.strictObject({
  ticket: notBlank(z.string()).describe('Unchanged, from the preview.'),
  answer: notBlank(z.string()).describe('The answer to the challenge.'),
});

/**
 * Counts a previewed ballot once per network and poll, finally (spec/board.md
 * §6.2). Every well-formed request spends an attempt, only a new ballot a
 * ballot.
 */
export const castBallot = writeEndpoint({
  post: '/api/polls/:id/votes',
  id: 'castBallot',
  tag: 'Polls',
  summary: 'Cast a previewed ballot, finally',
  description:
    'The filled `publish.json_template` of the preview. Every request spends one attempt, only a new ballot a ballot.',
  about: 'casts the ballot a preview showed',
  params: { id: pollId },
  missing: noSuchPoll,
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
  ],
  counter: 'poll_vote_publish',
  accepts: true,
  handle: (ctx) => {
    const queue = new BallotQueue(ctx.patience);
    return async (asked) => {
      const { body } = asked;
      const network = asked.network();
      const now = ctx.clock.now();
      const counters = await ctx.networkKeys.counterKeys(network);
      const attempts = ballotAttemptChecks(counters);
      await takeBudgets(ctx.writes, attempts, ctx.limits, now);
      const ticket = await findBallotTicket(ctx.writes, body.ticket);
      if (ticket?.draft.pollId !== asked.params.id) throw ticketInvalid();
      const facts = await ballotFacts(ctx, ctx.writes, ticket, [], now);
      const accepted = acceptedBallot(ctx, facts, ticket, now);
      if (accepted !== null) return { json: accepted };
      await checkVotingTicket(
        ctx,
        ticket,
        facts.lock,
        body.answer,
        network,
        previewAgain(ctx, facts, ticket),
      );
      const counted = await queue.run(() => countOnce(ctx, ticket, counters));
      ctx.events.emit('polls');
      return { json: counted.answer, status: counted.status };
    };
  },
});

async function findBallotTicket(
  sql: Sql,
  secret: string,
): Promise<BallotTicket | null> {
  const hash = ticketHash(secret);
  const [row] = await sql.query<
    TicketRow<BallotDraft> & { request_id: string }
  >(
    `SELECT ${TICKET_COLUMNS} FROM ticket k
     WHERE k.ticket_hash = $1 AND k.kind = 'ballot'`,
    [hash],
  );
  if (row === undefined) return null;
  return { ...ticketOf(hash, row), requestId: row.request_id };
}

function previewAgain(
  ctx: Context,
  { poll }: BallotFacts,
  { draft, requestId }: BallotTicket,
): SuggestedAction {
  return {
    method: 'POST',
    url: `${ctx.config.baseUrl}/api/polls/${poll.id}/votes/preview`,
    content_type: 'application/json',
    json_template: {
      option: poll.options?.[draft.option],
      request_id: requestId,
    },
    instruction:
      'Preview the same option with the same request_id again and solve the new challenge.',
  };
}

function exampleCast(status: CastBallot['status']): CastBallot {
  return { poll_id: 3, option: 'ARC', status, tally: EXAMPLE_TALLY };
}
