import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../context.js';
import { Grouped } from '../db/grouped.js';
import { BoardError, type SuggestedAction } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { pathInteger } from '../http/query.js';
import { requestNetwork } from '../http/request-network.js';
import { notBlank, parseBody } from '../http/validate.js';
import type { CastRating } from '../openapi/two-step.js';
import { type Cast, castByTicket, type TicketRating } from '../rating/cast.js';
import { castTogether } from '../rating/cast-together.js';
import { type Ticket, ticketHash, ticketInvalid } from '../tickets/ticket.js';
import { checkVotingTicket } from '../tickets/voting.js';
import { noSuchMessage, removedMessage } from './vote-target.js';
import { findVoteTickets, type VoteDraft } from './vote-ticket.js';

/** Body of POST /api/messages/{id}/votes: the filled json_template. */
export const castRequest = z.strictObject({
  ticket: notBlank(z.string()).describe('Unchanged, from the preview.'),
  answer: notBlank(z.string()).describe('The answer to the challenge.'),
});

/** What stands after the request, whoever's ticket made it so. */
type Standing = { fresh: boolean; value: -1 | 1; score: number };

/**
 * POST /api/messages/{id}/votes: counts a previewed rating once per network
 * and message, finally (spec/board.md §6.2).
 *
 * 201 `{message_id, vote, score, status}`, 200 for the same choice again, 409
 * `already_voted` for the opposite one with the standing vote in `current`.
 * A vote that the ticket's network has cast answers before age, lock and
 * answer are looked at, as a receipt does (5.1). Ratings spend nothing.
 * 400, 404, 409, 413, 415, 429, 503.
 */
export function castRating(ctx: Context): RequestHandler {
  const tickets = findVoteTickets(ctx.writes);
  const ratings = new Grouped<TicketRating, Cast | undefined>((group) =>
    castTogether(ctx.writes, group, ctx.limits.hidden_score_at_most),
  );
  return async (req, res) => {
    const request = parseBody(castRequest, req.body);
    const messageId = pathInteger(req.params.id);
    if (messageId === null) throw noSuchMessage();
    const hash = ticketHash(request.ticket);
    const found = await tickets.add({ hash, messageId });
    if (found === null) throw ticketInvalid();
    const { ticket, known, lock } = found;
    if (known === null) {
      const network = requestNetwork(req, ctx.trustedProxies);
      const again = previewAgain(ctx, ticket.draft);
      await checkVotingTicket(
        ctx,
        ticket,
        lock,
        request.answer,
        network,
        again,
      );
    }
    const standing =
      known === null
        ? await cast(ctx, ratings, ticket)
        : { ...known, fresh: false };
    const { vote } = ticket.draft;
    const answer: CastRating = {
      message_id: messageId,
      vote: standing.value,
      score: standing.score,
      status: standing.fresh ? 'published' : 'already_voted',
    };
    if (standing.value !== vote) throw votedOtherwise(answer);
    const status = standing.fresh ? 201 : 200;
    sendJson(req, res, answer, { cache: 'no-store', status });
  };
}

async function cast(
  ctx: Context,
  ratings: Grouped<TicketRating, Cast | undefined>,
  { hash, draft: { messageId, vote, voter } }: Ticket<VoteDraft>,
): Promise<Standing> {
  const rating = {
    messageId,
    voter: Buffer.from(voter, 'hex'),
    value: vote,
    at: ctx.clock.now(),
    hiddenScore: ctx.limits.hidden_score_at_most,
    ticketHash: hash,
  };
  const together = (it: TicketRating) => ratings.add(it);
  const done = await castByTicket(ctx.writes, rating, together);
  if (done === null) throw removedMessage(ctx.config.baseUrl, messageId);
  if (done.hidden) ctx.events.emit('hidden');
  return done;
}

function previewAgain(
  ctx: Context,
  { messageId, vote }: VoteDraft,
): SuggestedAction {
  return {
    method: 'POST',
    url: `${ctx.config.baseUrl}/api/messages/${messageId}/votes/preview`,
    content_type: 'application/json',
    json_template: { vote },
    instruction: 'Preview the same rating again and solve the new challenge.',
  };
}

function votedOtherwise(current: object): BoardError {
  return new BoardError(
    'already_voted',
    'This network has rated this message the other way, and ratings are final; current is the vote that counts.',
    { current },
  );
}
