import type { RequestHandler, Router } from 'express';
import type { Context } from '../context.js';
import { jsonHeaders, textHeaders } from '../http/headers.js';
import { offerToKeep } from '../http/kept-answers.js';
import { route, sliceRouter } from '../http/options.js';
import type { OtherBoards } from '../other-boards.js';
import { exportAll } from './export.js';
import { readMessage } from './message.js';
import { readRequest } from './request.js';
import { rooms } from './rooms.js';
import { search } from './search.js';
import { readThread } from './thread.js';
import { threads } from './threads.js';
import { updates } from './updates.js';
import type { UpdatesWaits } from './updates-waits.js';

/**
 * The reads that come most, to be mounted before all others: so they pass
 * none of them on their way. Their answers depend on the address and on
 * messages and polls alone.
 *
 * @param first what all requests pass before they come to their slice.
 */
export function hotReadRouter(
  ctx: Context,
  first: readonly RequestHandler[],
): Router {
  const router = sliceRouter();
  const hot = (path: string, handler: RequestHandler) => {
    router.all(path, [...first]);
    route(router, path, {
      get: [jsonHeaders(), offerToKeep(ctx.keptAnswers), handler],
    });
  };
  hot('/api/threads', threads(ctx));
  hot('/api/thread/:id', readThread(ctx));
  return router;
}

/** The public reads: they never publish, vote or create anything. */
export function readRouter(
  ctx: Context,
  others: OtherBoards,
  waits: UpdatesWaits,
): Router {
  const router = sliceRouter();
  const json = (path: string, handler: RequestHandler) =>
    route(router, path, { get: [jsonHeaders(), handler] });
  json('/api/updates', updates(ctx, waits));
  json('/api/messages/:id', readMessage(ctx));
  json('/api/requests/:uuid', readRequest(ctx, others));
  json('/api/search', search(ctx));
  json('/api/rooms', rooms(ctx));
  route(router, '/all.txt', { get: [textHeaders(), exportAll(ctx)] });
  return router;
}
