import type { Router } from 'express';
import type { Context } from '../../../server/context.js';
import { jsonHeaders } from '../../../server/http/headers.js';
import { bareForNodes } from '../../../server/http/peer-headers.js';
import { route, sliceRouter } from '../../../server/http/route.js';
import { countMeshGets } from '../../count-gets.js';
import { checkpoint } from './checkpoint.js';
import { consistency } from './consistency.js';
import { content } from './content.js';
import { entries } from './entries.js';
import { feed } from './feed.js';
import type { LogOf } from './log-of.js';
import { tile } from './tile.js';

/**
 * What auditors and peers read of one log (spec/mesh.md §B4): the board's own
 * below
 * `/log` and `/log<n>`, or each mirrored one below
 * `/mirror/<hex sha256(origin)>`.
 */
export function logRouter(ctx: Context, logOf: LogOf): Router {
  const router = sliceRouter();
  router.use(jsonHeaders(), countMeshGets(ctx));
  route(router, '/checkpoint', { get: checkpoint(ctx, logOf) });
  route(router, '/tile/entries/*n', { get: entries(ctx, logOf) });
  route(router, '/tile/*n', { get: tile(ctx, logOf) });
  route(router, '/consistency', { get: consistency(ctx, logOf) });
  const bare = bareForNodes();
  route(router, '/feed', { get: [bare, feed(ctx, logOf)] });
  route(router, '/content', { get: [bare, content(ctx, logOf)] });
  return router;
}
