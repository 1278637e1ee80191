import type { Router } from 'express';
import type { Context } from '../../server/context.js';
import { jsonHeaders } from '../../server/http/headers.js';
import { route, sliceRouter } from '../../server/http/options.js';
import { countMeshGets } from '../count-gets.js';
import { checkpoint } from './checkpoint.js';
import { consistency } from './consistency.js';
import { content } from './content.js';
import { entries } from './entries.js';
import { tile } from './tile.js';

/** `/log`: what auditors and peers read of the board's own log (mesh.md B4). */
export function logRouter(ctx: Context): Router {
  const router = sliceRouter();
  router.use(jsonHeaders(), countMeshGets(ctx));
  route(router, '/checkpoint', { get: checkpoint(ctx) });
  route(router, '/tile/entries/*n', { get: entries(ctx) });
  route(router, '/tile/*n', { get: tile(ctx) });
  route(router, '/consistency', { get: consistency(ctx) });
  route(router, '/content', { get: content(ctx) });
  return router;
}
