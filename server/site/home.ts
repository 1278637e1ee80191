import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { pageForm, pageQuery } from './page-form.js';
import { sendPage, sendTextForm } from './send-page.js';
import { parseQuery } from '../http/query-fields.js';
import { figures } from './figures.js';
import { topicFacts } from './home-facts.js';
import { homeHtml } from './home-html.js';
import { homeFields } from './home-query.js';
import { topicsAsText } from './topics-as-text.js';

const QUERY = pageQuery.extend(homeFields);

/**
 * GET /: the active topics with rooms, filters, paging and telemetry
 * (spec/board.md §8). `room`, `sort`, `visibility`, `unanswered`, `before` and
 * `snapshot` mean what they mean for `/api/threads`.
 */
export function home(ctx: Context): RequestHandler {
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
