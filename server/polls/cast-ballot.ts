import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../context.js';
import type { Sql } from '../db/sql.js';
import type { SuggestedAction } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { pathInteger } from '../http/query.js';
import { requestNetwork } from '../http/request-network.js';
import { notBlank, parseBody } from '../http/validate.js';
import { takeBudgets } from '../take-budgets.js';
import {
  TICKET_COLUMNS,
  type TicketRow,
  ticketHash,
  ticketInvalid,
  ticketOf,
} from '../tickets/ticket.js';
import { checkVotingTicket } from '../tickets/voting.js';
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
import { type BallotResult, countOnce } from './count-ballot.js';

/** Body of POST /api/polls/{id}/votes: the filled json_template. */
export const castRequest = z.strictObject({
  ticket: notBlank(z.string()).describe('Unchanged, from the preview.'),
  answer: notBlank(z.string()).describe('The answer to the challenge.'),
});

/**
 * POST /api/polls/{id}/votes: counts a previewed ballot once per network and
 * poll, finally (spec/board.md §6.2).
 *
 * 201 `{poll_id, option, status, tally}`, 200 for the same option again; 409
 * `request_id_conflict`, `already_voted`, `poll_closed`, `network_changed`.
 * Every well-formed request spends an attempt, only a new ballot a ballot.
 * 400, 404, 413, 415, 429, 503.
 */
export function castBallot(ctx: Context): RequestHandler {
  const queue = new BallotQueue(ctx.patience);
  return async (req, res) => {
    const request = parseBody(castRequest, req.body);
    const pollId = pathInteger(req.params.id);
    if (pollId === null) throw noSuchPoll();
    const network = requestNetwork(req, ctx.trustedProxies);
    const now = ctx.clock.now();
    const counters = await ctx.networkKeys.counterKeys(network);
    const attempts = ballotAttemptChecks(counters);
    await takeBudgets(ctx.writes, attempts, ctx.limits, now);
    const ticket = await findBallotTicket(ctx.writes, request.ticket);
    if (ticket?.draft.pollId !== pollId) throw ticketInvalid();
    const facts = await ballotFacts(ctx, ctx.writes, ticket, [], now);
    let result: BallotResult;
    const accepted = acceptedBallot(ctx, facts, ticket, now);
    if (accepted !== null) {
      result = { status: 200, answer: accepted };
    } else {
      const again = previewAgain(ctx, facts, ticket);
      const { lock } = facts;
      await checkVotingTicket(
        ctx,
        ticket,
        lock,
        request.answer,
        network,
        again,
      );
      result = await queue.run(() => countOnce(ctx, ticket, counters));
      ctx.events.emit('polls');
    }
    const { status, answer } = result;
    sendJson(req, res, answer, { cache: 'no-store', status });
  };
}

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
