import { createHmac } from 'node:crypto';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { community } from '../community.js';
import type { Context } from '../context.js';
import { sendJson } from '../http/conditional.js';
import { pathInteger } from '../http/query.js';
import { requestNetwork } from '../http/request-network.js';
import { parseBody } from '../http/validate.js';
import { issueTicket } from '../tickets/ticket.js';
import { votingSteps } from '../tickets/voting.js';
import type { RatingPreview, RatingSkipped } from './answers.js';
import { noSuchMessage, voteLookups, voteTarget } from './vote-target.js';
import type { VoteDraft } from './vote-ticket.js';

/** Body of POST /api/messages/{id}/votes/preview; 0 rates nothing. */
export const previewRequest = z.strictObject({
  vote: z.literal([-1, 0, 1]).describe('0 rates nothing.'),
});

/**
 * POST /api/messages/{id}/votes/preview: shows a rating and issues its ticket
 * and challenge (spec/board.md §6.1). It spends nothing
 * and never answers 409. 200; 400, 404, 413, 415, 503.
 */
export function previewVote(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const lookups = voteLookups(ctx.writes);
  return async (req, res) => {
    const { vote } = parseBody(previewRequest, req.body);
    const messageId = pathInteger(req.params.id);
    if (messageId === null || messageId === 0) throw noSuchMessage();
    if (vote === 0) {
      const skipped: RatingSkipped = {
        status: 'skipped',
        message_id: messageId,
        vote,
      };
      sendJson(req, res, skipped, { cache: 'no-store' });
      return;
    }
    const network = requestNetwork(req, ctx.trustedProxies);
    const now = ctx.clock.now();
    const { voter, existing } = await voteTarget(
      lookups,
      messageId,
      ctx.keys.voter,
      network,
      baseUrl,
    );
    const draft: VoteDraft = { messageId, vote, voter: voter.toString('hex') };
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
    const answer: RatingPreview = {
      status: 'preview_only_nothing_published',
      public_vote: { message_id: messageId, vote },
      ...(existing === null
        ? {}
        : { existing_vote: { message_id: messageId, vote: existing } }),
      ...votingSteps(issued, `${baseUrl}/api/messages/${messageId}/votes`),
      community: community(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}
