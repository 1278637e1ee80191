import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { searchText } from '../http/openapi/parameters.js';
import { canonical } from '../http/query.js';
import { oneOf, parseQuery, text } from '../http/query-fields.js';
import { requestNetwork } from '../http/request-network.js';
import { searchMessages } from '../search/search-page.js';
import { searchResults } from '../search/search-results.js';
import { listAsText, messageAsItem, nextAsText } from './list-as-text.js';
import { formField, numberOrNull } from './page-fields.js';
import { pageForm, pageQuery } from './page-form.js';
import { type Found, searchHtml } from './search-html.js';
import { sendPage, sendTextForm } from './send-page.js';

const EXCERPT = 280;

const QUERY = pageQuery.extend({
  room: formField(oneOf(ROOMS).optional()),
  visibility: oneOf(['hidden', 'all']).optional(),
  before: numberOrNull,
  q: text().default(''),
});

/**
 * GET /search: a form and, with `q`, what holds that text; `room`,
 * `visibility` and `before` mean what they mean for `/api/search`. A text that
 * cannot be looked for is told on the page, and refused where text is wanted.
 */
export function search(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const searched = z.object({ q: searchText(ctx.limits) });
  return async (req, res) => {
    const query = parseQuery(QUERY, req.originalUrl);
    const form = pageForm(req, query);
    const { q: sent, room, visibility, before } = query;
    const wanted = { room, visibility, before };
    if (sent === '' && form === 'html') {
      sendPage(req, res, searchHtml(ctx, { ...wanted, q: '', found: null }));
      return;
    }
    let q: string;
    try {
      ({ q } = parseQuery(searched, req.originalUrl));
    } catch (error) {
      if (!(error instanceof BoardError) || form !== 'html') throw error;
      const { search_min: min, search_max: max } = ctx.limits;
      const fault = `This text cannot be looked for: it takes ${min} to ${max} characters.`;
      const page = { ...wanted, q: sent, found: null, fault };
      sendPage(req, res, searchHtml(ctx, page), 400);
      return;
    }
    const network = requestNetwork(req, ctx.trustedProxies);
    ctx.readLimiter.take('searches_per_network_minute', network);
    const { messages_page_default: limit, references_max } = ctx.limits;
    const rows = await searchMessages(ctx.reads, {
      ...wanted,
      q,
      limit: limit + 1,
    });
    const results = await searchResults(ctx, rows.slice(0, limit), q, {
      baseUrl,
      referencesMax: references_max,
      preview: EXCERPT,
      full: false,
    });
    const more = { q, room, visibility, before: results.at(-1)?.id };
    const next = rows.length > limit ? `/search${canonical(more)}` : null;
    if (form !== 'html') {
      const head = { q, room, visibility, next: nextAsText(baseUrl, next) };
      const items = results.map((one) => messageAsItem('MESSAGE', one));
      const list = listAsText('SEARCH', head, items);
      sendTextForm(req, res, list, form === 'markdown');
      return;
    }
    const found: Found = { results, next };
    sendPage(req, res, searchHtml(ctx, { ...wanted, q, found }));
  };
}
