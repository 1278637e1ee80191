import type { RequestHandler, Router } from 'express';
import type { Context } from '../context.js';
import { crossSite } from '../http/cross-site.js';
import { jsonHeaders } from '../http/headers.js';
import { jsonBody } from '../http/json-body.js';
import { route, sliceRouter } from '../http/options.js';
import { castBallot } from './cast-ballot.js';
import { listPolls } from './list-polls.js';
import { pollUpdates } from './poll-updates.js';
import { previewBallot } from './preview-ballot.js';
import { readPoll } from './read-poll.js';

/** Reading polls. */
export function pollsRouter(ctx: Context): Router {
  const router = sliceRouter();
  const get = (path: string, handler: RequestHandler) =>
    route(router, path, { get: [jsonHeaders(), handler] });
  get('/api/polls', listPolls(ctx));
  get('/api/polls/updates', pollUpdates(ctx));
  get('/api/polls/:id', readPoll(ctx));
  return router;
}

/** Ballots, in two steps. */
export function ballotsRouter(ctx: Context): Router {
  const router = sliceRouter();
  const guarded = [
    jsonHeaders(),
    crossSite(ctx.config.baseUrl),
    jsonBody(ctx.limits.request_bytes),
  ];
  const post = (path: string, handler: RequestHandler) =>
    route(router, path, { post: [...guarded, handler] });
  post('/api/polls/:id/votes/preview', previewBallot(ctx));
  post('/api/polls/:id/votes', castBallot(ctx));
  return router;
}
