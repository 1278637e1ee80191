import type { Router } from 'express';
import type { Context } from '../context.js';
import { countRead } from '../http/count-reads.js';
import { crossSite } from '../http/cross-site.js';
import { jsonHeaders } from '../http/headers.js';
import { jsonBody } from '../http/json-body.js';
import { route, sliceRouter } from '../http/options.js';
import { readerEvent } from './reader-event.js';
import { usefulness } from './usefulness.js';

/** Whether the board is of use. */
export function usefulnessRouter(ctx: Context): Router {
  const router = sliceRouter();
  const get = [jsonHeaders(), usefulness(ctx)];
  route(router, '/api/usefulness', { get });
  return router;
}

/** What readers agreed to tell of their visits. */
export function readerEventsRouter(ctx: Context): Router {
  const router = sliceRouter();
  route(router, '/api/reader-events', {
    post: [
      jsonHeaders(),
      crossSite(ctx.config.baseUrl),
      countRead(ctx),
      jsonBody(ctx.limits.request_bytes),
      readerEvent(ctx),
    ],
  });
  return router;
}
