import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { requestNetwork } from '../http/network.js';
import { searchText } from '../http/openapi/parameters.js';
import { canonical, oneOf, parseQuery, text } from '../http/query.js';
import { viewOptions } from '../reading/index.js';
import { searchPage } from '../search/index.js';
import { listAsText, messageAsItem, nextAsText } from './list-as-text.js';
import {
  formField,
  numberOrNull,
  pageForm,
  pageQuery,
  sendForm,
  sendPage,
} from './page-form.js';
import { type Found, searchHtml } from './search-html.js';

const EXCERPT = 280;

const QUERY = pageQuery.extend({
  room: formField(oneOf(ROOMS).optional()),
  visibility: oneOf(['hidden', 'all']).optional(),
  before: numberOrNull,
  q: text().default(''),
});

/**
 * GET /search: a form and, with `q`, what contains that text; `room`,
 * `visibility` and `before` mean what they mean for `/api/search`. A text that
 * cannot be searched for is an error on the page, and a refusal as text.
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
    const { messages_page_default: limit } = ctx.limits;
    const page = { ...wanted, q, limit };
    const view = viewOptions(ctx, { preview: EXCERPT });
    const { data: results, older } = await searchPage(ctx, page, view);
    const more = canonical({ q, room, visibility, before: older });
    const next = older === null ? null : `/search${more}`;
    const found: Found = { results, next };
    await sendForm(req, res, form, {
      html: () => searchHtml(ctx, { ...wanted, q, found }),
      text: () => {
        const head = { q, room, visibility, next: nextAsText(baseUrl, next) };
        const items = results.map((one) => messageAsItem('MESSAGE', one));
        return listAsText('SEARCH', head, items);
      },
    });
  };
}
