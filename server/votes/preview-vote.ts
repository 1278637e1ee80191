import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { community } from '../http/community.js';
import { writeEndpoint } from '../http/endpoint.js';
import { exampleSteps } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { anyId } from '../http/openapi/parameters.js';
import { NOTHING_PUBLISHED } from '../http/openapi/two-step.js';
import { issueTicket } from '../tickets/ticket.js';
import { votingSteps } from '../tickets/voting.js';
import { type RatingPreview, type RatingSkipped, schemas } from './answers.js';
import { noSuchMessage, voteLookups, voteTarget } from './vote-target.js';
import type { VoteDraft } from './vote-ticket.js';

/** Body of POST /api/messages/{id}/votes/preview; 0 rates nothing. */
export const previewRequest = z.strictObject({
  vote: z.literal([-1, 0, 1]).describe('0 rates nothing.'),
});

/** Shows a rating and issues its ticket (spec/board.md §6.1). */
export const previewRating = writeEndpoint({
  post: '/api/messages/:id/votes/preview',
  id: 'previewRating',
  tag: 'Ratings',
  summary: 'Prepare a rating',
  description:
    'Gives a challenge and a ticket for +1 or -1. A vote of 0 is answered `skipped` without looking at the message. Spends nothing and never answers 409.',
  about: 'prepares a rating of +1 or -1',
  params: { id: anyId },
  missing: noSuchMessage,
  hot: true,
  body: () => ({ schema: previewRequest, example: { vote: 1 } }),
  answers: ({ baseUrl }) =>
    ok(
      'The preview, or that there is nothing to rate.',
      schemas.RatingPreviewAnswer,
      examplePreview(baseUrl),
    ),
  errors: ['message_not_found'],
  counter: 'message_vote_preview',
  handle: (ctx) => {
    const { baseUrl } = ctx.config;
    const lookups = voteLookups(ctx.writes);
    return async (asked) => {
      const { vote } = asked.body;
      const { id: messageId } = asked.params;
      if (messageId === 0) throw noSuchMessage();
      if (vote === 0) {
        const skipped: RatingSkipped = {
          status: 'skipped',
          message_id: messageId,
          vote,
        };
        return { json: skipped };
      }
      const network = asked.network();
      const now = ctx.clock.now();
      const { voter, existing } = await voteTarget(
        lookups,
        messageId,
        ctx.keys.voter,
        network,
        baseUrl,
      );
      const draft: VoteDraft = {
        messageId,
        vote,
        voter: voter.toString('hex'),
      };
      const issued = await issueTicket(ctx.tickets, {
        kind: 'vote',
        requestId: null,
        contentHash: createHmac('sha256', ctx.keys.server)
          .update(`vote/v1 ${messageId} ${vote}`)
          .digest(),
        draft,
        network,
        counters: await ctx.networkKeys.counterKeys(network),
        serverKey: ctx.keys.server,
        now,
        lifetimeMs: ctx.limits.ticket_seconds * 1000,
      });
      const json: RatingPreview = {
        status: NOTHING_PUBLISHED,
        public_vote: { message_id: messageId, vote },
        ...(existing === null
          ? {}
          : { existing_vote: { message_id: messageId, vote: existing } }),
        ...votingSteps(issued, `${baseUrl}/api/messages/${messageId}/votes`),
        community: community(baseUrl),
      };
      return { json };
    };
  },
});

function examplePreview(baseUrl: string) {
  return {
    status: NOTHING_PUBLISHED,
    public_vote: { message_id: 15, vote: 1 },
    ...exampleSteps(`${baseUrl}/api/messages/15/votes`),
    community: community(baseUrl),
  };
}
