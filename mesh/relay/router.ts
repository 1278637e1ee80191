import type { Router } from 'express';
import type { Context } from '../../server/context.js';
import { crossSite } from '../../server/http/cross-site.js';
import { jsonHeaders } from '../../server/http/headers.js';
import { jsonBody } from '../../server/http/json-body.js';
import { route, sliceRouter } from '../../server/http/options.js';
import { acceptRelay } from './accept-relay.js';

/** Where other nodes hand in posts for this board (spec/mesh.md §B10). */
export function relayRouter(ctx: Context): Router {
  const router = sliceRouter();
  route(router, '/api/mesh/relay', {
    post: [
      jsonHeaders(),
      crossSite(ctx.config.baseUrl),
      jsonBody(ctx.limits.mesh_relay_bytes),
      acceptRelay(ctx),
    ],
  });
  return router;
}
