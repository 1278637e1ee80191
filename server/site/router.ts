import type { RequestHandler, Router } from 'express';
import type { Context } from '../context.js';
import { htmlHeaders } from '../http/headers.js';
import { parseQuery } from '../http/query-fields.js';
import { route, sliceRouter } from '../http/route.js';
import { connect } from './connect.js';
import { figures } from './figures.js';
import { type TopicFacts, topicFacts } from './home-facts.js';
import { homeHtml } from './home-html.js';
import { homeFields } from './home-query.js';
import { listAsText, messageAsItem, nextAsText } from './list-as-text.js';
import { mesh } from './mesh.js';
import { mirroredThread } from './mirrored-thread.js';
import { mirroredTopics } from './mirrored-topics.js';
import { moderation } from './moderation.js';
import { pageForm, pageQuery } from './page-form.js';
import { search } from './search.js';
import { sendPage, sendTextForm } from './send-page.js';
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

const QUERY = pageQuery.extend(homeFields);

/**
 * GET /: the active topics with rooms, filters, paging and telemetry
 * (spec/board.md §8). `room`, `sort`, `visibility`, `unanswered`, `before` and
 * `snapshot` mean what they mean for `/api/threads`.
 */
function home(ctx: Context): RequestHandler {
  const counted = figures(ctx);
  return async (req, res) => {
    const query = parseQuery(QUERY, req.originalUrl);
    const form = pageForm(req, query);
    const { format, ...wanted } = query;
    if (form !== 'html') {
      const text = topicsAsText(ctx, await topicFacts(ctx, wanted));
      sendTextForm(req, res, text, form === 'markdown');
      return;
    }
    const [list, board] = await Promise.all([
      topicFacts(ctx, wanted),
      counted(),
    ]);
    sendPage(req, res, homeHtml(ctx, wanted, { ...list, ...board }));
  };
}

/** The list of topics as text: a line of JSON each, and a fenced excerpt. */
function topicsAsText(ctx: Context, { topics, next }: TopicFacts): string {
  const { baseUrl, boardTitle: title } = ctx.config;
  const head = {
    board: ctx.board.name,
    title,
    next: nextAsText(baseUrl, next),
  };
  const items = topics.map((topic) => messageAsItem('TOPIC', topic));
  return listAsText('TOPICS', head, items);
}
