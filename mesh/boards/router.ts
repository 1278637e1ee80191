import type { RequestHandler, Router } from 'express';
import type { Context } from '../../server/context.js';
import { jsonHeaders } from '../../server/http/headers.js';
import { route, sliceRouter } from '../../server/http/options.js';
import { countMeshGets } from '../count-gets.js';
import { listBoards } from './list-boards.js';
import { mergedUpdates } from './merged-updates.js';
import { message } from './message.js';
import { proof } from './proof.js';
import { search } from './search.js';
import { thread } from './thread.js';
import { threads } from './threads.js';
import { updates } from './updates.js';

/** Reading the mirrored boards (spec/mesh.md §B9). */
export function boardsRouter(ctx: Context): Router {
  const router = sliceRouter();
  const counted = [jsonHeaders(), countMeshGets(ctx)];
  const json = (path: string, handler: RequestHandler) =>
    route(router, path, { get: [...counted, handler] });
  json('/api/mesh/boards', listBoards(ctx));
  json('/api/mesh/search', search(ctx));
  json('/api/mesh/updates', mergedUpdates(ctx));
  const board = '/api/mesh/boards/:name';
  json(`${board}/threads`, threads(ctx));
  json(`${board}/thread/:id`, thread(ctx));
  json(`${board}/updates`, updates(ctx));
  json(`${board}/messages/:id`, message(ctx));
  json(`${board}/messages/:id/proof`, proof(ctx));
  return router;
}
