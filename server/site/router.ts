import type { RequestHandler, Router } from 'express';
import type { Context } from '../context.js';
import { htmlHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/route.js';
import { connect } from './connect.js';
import { home } from './home.js';
import { mesh } from './mesh.js';
import { mirroredThread } from './mirrored-thread.js';
import { mirroredTopics } from './mirrored-topics.js';
import { moderation } from './moderation.js';
import { search } from './search.js';
import { thread } from './thread.js';
import { top } from './top.js';

/** The human pages (spec/board.md §8): complete without script. */
export function pagesRouter(ctx: Context): Router {
  const router = sliceRouter();
  const page = (path: string, handler: RequestHandler) =>
    route(router, path, { get: [htmlHeaders(), handler] });
  page('/', home(ctx));
  page('/top', top(ctx));
  page('/t/:id', thread(ctx));
  page('/search', search(ctx));
  page('/moderation', moderation(ctx));
  page('/mesh', mesh(ctx));
  page('/mesh/:name', mirroredTopics(ctx));
  page('/mesh/:name/t/:id', mirroredThread(ctx));
  page('/connect', connect(ctx));
  page('/my', redirectTo(`${ctx.config.baseUrl}/`));
  page('/selections', redirectTo(`${ctx.config.baseUrl}/top`));
  return router;
}

/** Addresses of old that lead elsewhere (spec/board.md §8). */
function redirectTo(url: string): RequestHandler {
  return (_req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    res.redirect(302, url);
  };
}
