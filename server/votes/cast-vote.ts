import { z } from 'zod';
import type { Context } from '../context.js';
import { Grouped } from '../db/grouped.js';
import { BoardError, type SuggestedAction } from '../errors.js';
import { notBlank } from '../http/body/validate.js';
import { writeEndpoint } from '../http/endpoint.js';
import { EXAMPLE_TICKET } from '../http/openapi/examples.js';
import { anyId } from '../http/openapi/parameters.js';
import {
  type CastRating,
  castRating as castAnswer,
} from '../http/openapi/two-step.js';
import { type Ticket, ticketHash, ticketInvalid } from '../tickets/ticket.js';
import { checkVotingTicket } from '../tickets/voting.js';
import { type Cast, castByTicket, type TicketRating } from './record-vote.js';
import { castTogether } from './record-votes.js';
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
 * Counts a previewed rating once per network and message, finally
 * (spec/board.md §6.2). A vote that the ticket's network has cast answers before
 * age, lock and answer are looked at, as a receipt does (§5.1).
 */
export const castRating = writeEndpoint({
  post: '/api/messages/:id/votes',
  id: 'castRating',
  tag: 'Ratings',
  summary: 'Cast a previewed rating, finally',
  description:
    'The filled `publish.json_template` of the preview. One rating per network and message counts for ever: the same choice again answers 200, the opposite one 409 with what counts in `current`. Spends nothing.',
  about: 'casts the rating a preview showed, once and for ever',
  params: { id: anyId },
  missing: noSuchMessage,
  hot: true,
  body: () => ({
    schema: castRequest,
    example: { ticket: EXAMPLE_TICKET, answer: '65-harbor' },
  }),
  answers: () => ({
    201: {
      description: 'Counted.',
      json: { schema: castAnswer, example: exampleCast('published') },
    },
    200: {
      description: 'Counted before.',
      json: { schema: castAnswer, example: exampleCast('already_voted') },
    },
  }),
  errors: [
    'ticket_invalid',
    'ticket_expired',
    'wrong_answer',
    'message_not_found',
    'already_voted',
    'network_changed',
    'challenge_locked',
  ],
  counter: 'message_vote_publish',
  accepts: true,
  handle: (ctx) => {
    const tickets = findVoteTickets(ctx.writes);
    const ratings = new Grouped<TicketRating, Cast | undefined>((group) =>
      castTogether(ctx.writes, group, ctx.limits.hidden_score_at_most),
    );
    return async ({ params: { id: messageId }, body, network }) => {
      const hash = ticketHash(body.ticket);
      const found = await tickets.add({ hash, messageId });
      if (found === null) throw ticketInvalid();
      const { ticket, known, lock } = found;
      if (known === null) {
        await checkVotingTicket(
          ctx,
          ticket,
          lock,
          body.answer,
          network(),
          previewAgain(ctx, ticket.draft),
        );
      }
      const standing =
        known === null
          ? await cast(ctx, ratings, ticket)
          : { ...known, fresh: false };
      const json: CastRating = {
        message_id: messageId,
        vote: standing.value,
        score: standing.score,
        status: standing.fresh ? 'published' : 'already_voted',
      };
      if (standing.value !== ticket.draft.vote) throw votedOtherwise(json);
      return { json, status: standing.fresh ? 201 : 200 };
    };
  },
});

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

function exampleCast(status: CastRating['status']): CastRating {
  return { message_id: 15, vote: 1, score: 3, status };
}
