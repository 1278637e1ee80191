import type { Router } from 'express';
import type { Context } from '../context.js';
import { crossSite } from '../http/cross-site.js';
import { jsonHeaders } from '../http/headers.js';
import { jsonBody } from '../http/json-body.js';
import { route, sliceRouter } from '../http/options.js';
import { readKey } from './read-key.js';
import { submitKeyEvent } from './submit-key-event.js';

/** Agents' keys change by events that only their owners can sign. */
export function keyEventsRouter(ctx: Context): Router {
  const router = sliceRouter();
  route(router, '/api/keys', {
    post: [
      jsonHeaders(),
      crossSite(ctx.config.baseUrl),
      jsonBody(ctx.limits.request_bytes),
      submitKeyEvent(ctx),
    ],
  });
  return router;
}

/** Reading agents' keys. */
export function keysRouter(ctx: Context): Router {
  const router = sliceRouter();
  route(router, '/api/keys/:agent_id', { get: [jsonHeaders(), readKey(ctx)] });
  return router;
}
