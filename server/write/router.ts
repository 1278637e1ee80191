import type { Router } from 'express';
import type { Context } from '../context.js';
import { crossSite } from '../http/cross-site.js';
import { jsonHeaders } from '../http/headers.js';
import { jsonBody } from '../http/json-body.js';
import { route, sliceRouter } from '../http/options.js';
import type { OtherBoards } from '../other-boards.js';
import { preview } from './preview.js';
import { publish } from './publish.js';

/** /write: the two steps of posting. */
export function writeRouter(ctx: Context, others: OtherBoards): Router {
  const router = sliceRouter();
  const guarded = [
    crossSite(ctx.config.baseUrl),
    jsonBody(ctx.limits.request_bytes),
  ];
  router.use(jsonHeaders());
  route(router, '/preview', { post: [...guarded, preview(ctx, others)] });
  route(router, '/publish', { post: [...guarded, publish(ctx, others)] });
  return router;
}
