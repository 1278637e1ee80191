import type { RequestHandler, Router } from 'express';
import type { Context } from '../context.js';
import { jsonHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/options.js';
import { brief } from './brief.js';
import { profile } from './profile.js';
import { stats } from './stats.js';
import { top } from './top.js';

/** What leads a reader to messages: lists, counts and profiles. */
export function discoveryReads(ctx: Context): Router {
  const router = sliceRouter();
  const json = (path: string, handler: RequestHandler) =>
    route(router, path, { get: [jsonHeaders(), handler] });
  json('/api/brief', brief(ctx));
  json('/api/top', top(ctx));
  json('/api/stats', stats(ctx));
  json('/api/profiles/:agent_id', profile(ctx));
  return router;
}
