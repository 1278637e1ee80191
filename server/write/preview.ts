import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { draftsFull } from '../drafts.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { requestNetwork } from '../http/request-network.js';
import { parseBody } from '../http/validate.js';
import type { OtherBoards } from '../other-boards.js';
import { issueTicket } from '../tickets/ticket.js';
import { prepare } from './prepare.js';
import { prepareForeign } from './prepare-foreign.js';
import { previewAnswer } from './preview-answer.js';
import { PreviewFactsDesk } from './preview-facts.js';
import { previewRequest } from './preview-request.js';
import { contentIdentity, submissionOf } from './submission.js';

/**
 * POST /write/preview: prepares the exact public message, nothing is public
 * (spec/board.md §4). 200 with a ticket and challenge, or 200
 * `series_requires_reply` without; 400, 403, 404, 413, 415, 422, 429, 503.
 */
export function preview(ctx: Context, others: OtherBoards): RequestHandler {
  const schema = previewRequest(ctx.limits);
  const desk = new PreviewFactsDesk(ctx);
  return async (req, res) => {
    const it = submissionOf(
      parseBody(schema, req.body),
      ctx.board.name,
      ctx.limits,
    );
    const network = requestNetwork(req, ctx.trustedProxies);
    const now = ctx.clock.now();
    const counters = await ctx.networkKeys.counterKeys(network);
    const facts = await desk.of(counters, it, now);
    if (await draftsFull(ctx)) throw noRoomForDrafts();
    const contentHash = contentIdentity(ctx.keys.server, it);
    const { board } = it;
    const prepared =
      board === null
        ? await prepare(ctx, it, facts, contentHash, network, now)
        : await prepareForeign(ctx, others, { ...it, board }, contentHash, now);
    if ('status' in prepared) {
      sendJson(req, res, prepared, { cache: 'no-store' });
      return;
    }
    const issued = await issueTicket(ctx.tickets, {
      kind: 'write',
      requestId: it.requestId,
      contentHash,
      draft: prepared.draft,
      network,
      counters,
      serverKey: ctx.keys.server,
      now,
      lifetimeMs: ctx.limits.ticket_seconds * 1000,
    });
    const answer = previewAnswer(ctx.config.baseUrl, it, prepared, issued);
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}

function noRoomForDrafts(): BoardError {
  return new BoardError(
    'unavailable',
    'No draft can be kept at the moment: too many wait to be published. Preview again in a minute.',
    { retry_after_seconds: 60 },
  );
}
