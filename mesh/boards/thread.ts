import type { RequestHandler } from 'express';
import type { Context } from '../../server/context.js';
import { sendJson, sendText } from '../../server/http/conditional.js';
import { setHeaders } from '../../server/http/headers.js';
import { pathInteger, readQuery } from '../../server/http/query.js';
import { threadText } from '../../server/threads/thread-text.js';
import { mirroredBoard } from './mirrored-board.js';
import { mirroredThread, unknownThread } from './mirrored-thread.js';
import { relayOffers, relaySteps } from './relay-offer.js';

/**
 * GET /api/mesh/boards/{name}/thread/{id}: a page of a mirrored thread, with
 * the parameters of `/api/thread/{id}` (spec/mesh.md §B9, spec/board.md §2.3).
 * 404
 * `unknown_board`, `thread_not_found`; 451 where an operator of this node hid
 * the topic.
 */
export function thread(ctx: Context): RequestHandler {
  const offers = relayOffers(ctx.reads, ctx.board.name);
  return async (req, res) => {
    const board = await mirroredBoard(ctx, req.params.name);
    const id = pathInteger(req.params.id);
    if (id === null) throw unknownThread();
    const query = readQuery(req);
    const read = await mirroredThread(ctx, board, id, query);
    const { view, answerable } = read;
    const answer =
      answerable !== null && (await offers(board))
        ? { ...view, ...relaySteps(ctx, board, answerable) }
        : view;
    if (query.string('format') === 'text') {
      setHeaders(req, res, 'text');
      sendText(req, res, threadText(answer), { cache: 'revalidate' });
    } else {
      sendJson(req, res, answer, { cache: 'revalidate' });
    }
  };
}
