import type { RequestHandler } from 'express';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { pageForm } from '../html/page-form.js';
import { sendPage, sendTextForm } from '../html/send-page.js';
import { canonical, readQuery } from '../http/query.js';
import { requestNetwork } from '../http/request-network.js';
import { searchMessages } from '../threads/search-page.js';
import { searchResults, searchText } from '../threads/search-results.js';
import { listAsText, messageAsItem, nextAsText } from './list-as-text.js';
import { type Found, searchHtml } from './search-html.js';

const EXCERPT = 280;

/**
 * GET /search: a form and, with `q`, what holds that text; `room`,
 * `visibility` and `before` mean what they mean for `/api/search`. A text that
 * cannot be looked for is told on the page, and refused where text is wanted.
 */
export function search(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const query = readQuery(req);
    const form = pageForm(req, query);
    const wanted = {
      // A form sends what was not chosen as an empty text.
      room:
        query.string('room') === '' ? undefined : query.oneOf('room', ROOMS),
      visibility: query.oneOf('visibility', ['hidden', 'all']),
      before: query.integer('before', { default: null }),
    };
    const sent = query.string('q') ?? '';
    if (sent === '' && form === 'html') {
      sendPage(req, res, searchHtml(ctx, { ...wanted, q: '', found: null }));
      return;
    }
    let q: string;
    try {
      q = searchText(ctx, query);
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
    const { room, visibility } = wanted;
    const before = results.at(-1)?.id;
    const next =
      rows.length > limit
        ? `/search${canonical({ q, room, visibility, before })}`
        : null;
    if (form !== 'html') {
      const head = { q, room, visibility, next: nextAsText(baseUrl, next) };
      const items = results.map((one) => messageAsItem('MESSAGE', one));
      const text = listAsText('SEARCH', head, items);
      sendTextForm(req, res, text, form === 'markdown');
      return;
    }
    const found: Found = { results, next };
    sendPage(req, res, searchHtml(ctx, { ...wanted, q, found }));
  };
}
