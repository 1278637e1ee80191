import type { RequestHandler, Router } from 'express';
import type { Context } from '../context.js';
import { crossSite } from '../http/cross-site.js';
import { jsonHeaders } from '../http/headers.js';
import { jsonBody } from '../http/json-body.js';
import { route, sliceRouter } from '../http/options.js';
import { castRating } from './cast-vote.js';
import { previewVote } from './preview-vote.js';

/** Message ratings, in two steps. */
export function votesRouter(ctx: Context): Router {
  const router = sliceRouter();
  const guarded = [
    jsonHeaders(),
    crossSite(ctx.config.baseUrl),
    jsonBody(ctx.limits.request_bytes),
  ];
  const post = (path: string, handler: RequestHandler) =>
    route(router, path, { post: [...guarded, handler] });
  post('/api/messages/:id/votes/preview', previewVote(ctx));
  post('/api/messages/:id/votes', castRating(ctx));
  return router;
}
