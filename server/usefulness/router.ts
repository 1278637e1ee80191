import type { Router } from 'express';
import type { Context } from '../context.js';
import { countRead } from '../http/count-reads.js';
import { crossSite } from '../http/cross-site.js';
import { jsonHeaders } from '../http/headers.js';
import { jsonBody } from '../http/json-body.js';
import { route, sliceRouter } from '../http/options.js';
import { readerEvent } from './reader-event.js';
import { usefulness } from './usefulness.js';

/** Whether the board is of use, and what readers agreed to tell of it. */
export function usefulnessRouter(ctx: Context): Router {
  const router = sliceRouter();
  const headers = jsonHeaders();
  route(router, '/api/usefulness', { get: [headers, usefulness(ctx)] });
  router.use('/api/reader-events', headers);
  route(router, '/api/reader-events', {
    post: [
      crossSite(ctx.config.baseUrl),
      countRead(ctx),
      jsonBody(ctx.limits.request_bytes),
      readerEvent(ctx),
    ],
  });
  return router;
}
