import type { Router } from 'express';
import type { Context } from '../context.js';
import { jsonHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/options.js';
import { listDecisions } from './list-decisions.js';
import { readDecisions } from './read-decisions.js';

/** What operators decided, in public. */
export function moderationRouter(ctx: Context): Router {
  const router = sliceRouter();
  route(router, '/api/moderation', {
    get: [jsonHeaders(), listDecisions(ctx)],
  });
  route(router, '/api/moderation/:message_id', {
    get: [jsonHeaders(), readDecisions(ctx)],
  });
  return router;
}
