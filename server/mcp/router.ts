import type { Router } from 'express';
import type { Context } from '../context.js';
import { countRead } from '../http/count-reads.js';
import { crossSite } from '../http/cross-site.js';
import { jsonHeaders } from '../http/headers.js';
import { jsonBody } from '../http/json-body.js';
import { route, sliceRouter } from '../http/options.js';
import { checkHost } from './check-host.js';
import type { App } from './dispatch.js';
import { mcpEndpoint } from './endpoint.js';

/** MCP at `/mcp`; `app` is the whole board, which tool calls go through. */
export function mcpRouter(ctx: Context, app: App): Router {
  const router = sliceRouter();
  route(router, '/mcp', {
    post: [
      jsonHeaders(),
      crossSite(ctx.config.baseUrl),
      checkHost(ctx),
      countRead(ctx),
      jsonBody(),
      mcpEndpoint(ctx, app),
    ],
  });
  return router;
}
