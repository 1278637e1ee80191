import { z } from 'zod';
import type { Context } from '../context.js';
import { grouped } from '../db/grouped.js';
import { BoardError, type SuggestedAction } from '../errors.js';
import { notBlank } from '../http/body/validate.js';
import { writeEndpoint } from '../http/endpoint.js';
import { EXAMPLE_TICKET } from '../http/openapi/examples.js';
import { anyId } from '../http/openapi/parameters.js';
import {
  type CastRating,
  castRating as castAnswer,
} from '../http/openapi/receipt.js';
import {
  checkVotingTicket,
  type Ticket,
  ticketHash,
  ticketInvalid,
} from '../tickets/index.js';
import {
  findVoteTickets,
  type TicketAsked,
  type VoteDraft,
} from './find-votes.sql.js';
import { noSuchMessage, removedMessage } from './preview-vote.js';
import {
  type RecordedVote,
  type RecordTogether,
  recordTicketVote,
  recordVotes,
  type TicketVote,
} from './record-vote.sql.js';

/** Body of POST /api/messages/{id}/votes: the filled json_template. */
export const castRequest = z.strictObject({
  ticket: notBlank(z.string()).describe('Unchanged, from the preview.'),
  answer: notBlank(z.string()).describe('The answer to the challenge.'),
});

/**
 * Counts a previewed vote once per network and message, finally
 * (spec/board.md §6.2). A vote that the ticket's network has cast answers before
 * age, lock and answer are looked at, as a receipt does (§5.1).
 */
export const castVote = writeEndpoint({
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
    const { writes } = ctx;
    const find = grouped((asked: readonly TicketAsked[]) =>
      findVoteTickets(writes, asked),
    );
    const together = grouped((votes: readonly TicketVote[]) =>
      recordVotes(writes, votes),
    );
    return async ({ params: { id: messageId }, body, network }) => {
      const hash = ticketHash(body.ticket);
      const found = await find({ hash, messageId });
      if (found === null) throw ticketInvalid();
      const { ticket, known, lock } = found;
      const { draft } = ticket;
      if (known === null) {
        const again = previewAgain(ctx, draft);
        const { answer } = body;
        await checkVotingTicket(ctx, ticket, lock, answer, network(), again);
      }
      const { fresh, value, score } =
        known === null
          ? await cast(ctx, ticket, together)
          : { ...known, fresh: false };
      const json: CastRating = {
        message_id: messageId,
        vote: value,
        score,
        status: fresh ? 'published' : 'already_voted',
      };
      if (value !== draft.vote) throw votedOtherwise(json);
      return { json, status: fresh ? 201 : 200 };
    };
  },
});

async function cast(
  ctx: Context,
  { hash, draft: { messageId, vote, voter } }: Ticket<VoteDraft>,
  together: RecordTogether,
): Promise<RecordedVote> {
  const it: TicketVote = {
    messageId,
    voter: Buffer.from(voter, 'hex'),
    value: vote,
    at: ctx.clock.now(),
    hiddenScore: ctx.limits.hidden_score_at_most,
    ticketHash: hash,
  };
  const recorded = await recordTicketVote(ctx.writes, it, together);
  if (recorded === null) throw removedMessage(ctx.config.baseUrl, messageId);
  if (recorded.hidden) ctx.events.emit('hidden');
  return recorded;
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
