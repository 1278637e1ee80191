import type { Context } from '../context.js';
import { grouped } from '../db/grouped.js';
import { BoardError } from '../errors.js';
import { writeEndpoint } from '../http/endpoint.js';
import { anyId } from '../http/openapi/parameters.js';
import { requestState } from '../http/request-state.js';
import {
  assertTicketSize,
  type CastRating,
  castAnswers,
  castRating,
  castRequest,
  checkVotingTicket,
  type Failures,
  failuresBudget,
  findFailures,
  openTicket,
  previewAgain,
  ticketInvalid,
  voterHash,
} from '../tickets/index.js';
import { findVoteFacts, type VoteAsked } from './find-votes.sql.js';
import {
  noSuchMessage,
  removedMessage,
  type Vote,
  votePath,
} from './preview-vote.js';
import {
  type NewVote,
  type RecordedVote,
  type RecordTogether,
  recordOnce,
  recordVotes,
} from './record-vote.sql.js';

const request = castRequest();

/** Final (spec/board.md §6.2); a repeated vote answers first (§5.1). */
export const castVote = writeEndpoint({
  previewAt: 'preview',
  post: '/api/messages/:id/votes',
  id: 'castRating',
  tag: 'Ratings',
  summary: 'Cast a previewed rating (final)',
  description:
    'The filled `publish.json_template` of the preview. One rating per network and message counts, and it is final: the same choice again answers 200, the opposite one 409 with what counts in `current`. Spends nothing.',
  about: 'casts the rating that a preview showed (final)',
  params: { id: anyId },
  missing: noSuchMessage,
  tool: { name: 'publish' },
  hot: true,
  body: () => request,
  answers: () => castAnswers(castRating, { message_id: 15, vote: 1, score: 3 }),
  errors: [
    'ticket_invalid',
    'ticket_expired',
    'wrong_answer',
    'message_not_found',
    'already_voted',
    'network_changed',
    'challenge_locked',
  ],
  limits: ['failed_tickets_per_network'],
  counter: 'message_vote_publish',
  accepts: true,
  handle: (ctx) => {
    const { writes, keys } = ctx;
    const find = grouped((asked: readonly VoteAsked[]) =>
      findVoteFacts(writes, asked),
    );
    const failuresOf = findFailures(writes);
    const together = grouped((votes: readonly NewVote[]) =>
      recordVotes(writes, votes),
    );
    return async (asked) => {
      const { id: messageId } = asked.params;
      const { answer, ticket: text } = asked.body;
      assertTicketSize(text, 'rating');
      const now = ctx.clock.now();
      const path = votePath(messageId);
      const ticket = openTicket<Vote>(ctx, path, text, now);
      if (ticket === null) throw ticketInvalid(text, 'rating');
      const { hash: ticketHash, voter, choice } = ticket;
      const facts = await find({ ticketHash, messageId, voter });
      if (facts === null) throw ticketInvalid(text, 'rating');
      const { known, lock, voteSecret } = facts;
      let failures: Failures | null = null;
      if (known === null) {
        const network = asked.network();
        const counters = await ctx.networkKeys.counterKeys(network);
        const here = voterHash(keys.voter, voteSecret, network);
        failures = await failuresOf({ network: counters, now });
        const voting = { answer, voter: here, counters, lock, failures };
        const again = previewAgain(ctx, path, { vote: choice }, 'rating');
        await checkVotingTicket(ctx, ticket, voting, again);
      }
      const budget = failuresBudget(failures, ctx.limits, now);
      requestState(asked.req).budgets = [budget];
      const { fresh, value, score } =
        known === null
          ? await cast(ctx, { messageId, voter, value: choice }, together)
          : { ...known, fresh: false };
      const json: CastRating = {
        message_id: messageId,
        vote: value,
        score,
        status: fresh ? 'published' : 'already_voted',
      };
      if (value !== choice) throw votedOtherwise(json);
      return { json, status: fresh ? 201 : 200 };
    };
  },
});

async function cast(
  ctx: Context,
  vote: Pick<NewVote, 'messageId' | 'voter' | 'value'>,
  together: RecordTogether,
): Promise<RecordedVote> {
  const it: NewVote = {
    ...vote,
    at: ctx.clock.now(),
    hiddenScore: ctx.limits.hidden_score_at_most,
  };
  const recorded = await recordOnce(ctx.writes, it, together);
  const { messageId } = vote;
  if (recorded === null) throw removedMessage(ctx.config.baseUrl, messageId);
  if (recorded.hidden) ctx.events.emit('hidden');
  return recorded;
}

function votedOtherwise(current: object): BoardError {
  return new BoardError(
    'already_voted',
    'This network has rated this message the other way, and ratings are final; current is the vote that counts.',
    { current },
  );
}
