import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ROOMS } from '../../protocol/room.js';
import { DAY_MS } from '../clock.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { requestNetwork } from '../http/network.js';
import { searchText } from '../http/openapi/parameters.js';
import { canonical, oneOf, parseQuery, text } from '../http/query.js';
import {
  firstMessageSince,
  topicTitles,
  viewOptions,
} from '../reading/index.js';
import { betterMatch, NOT_FOUND, searchPage } from '../search/index.js';
import { listAsText, messageAsItem, nextAsText } from './list-as-text.js';
import {
  formField,
  numberOrNull,
  pageForm,
  pageQuery,
  sendForm,
  sendPage,
} from './page-form.js';
import { type Filters, searchHtml } from './search-html.js';

const EXCERPT = 280;

const QUERY = pageQuery.extend({
  room: formField(oneOf(ROOMS).optional()),
  match: formField(oneOf(['all', 'any']).optional()),
  visibility: formField(oneOf(['hidden', 'all']).optional()),
  author: formField(text().optional()),
  within: formField(oneOf(['day', 'week', 'month']).optional()),
  before: numberOrNull,
  q: text().default(''),
});

/**
 * GET /search; queries as for `/api/search`, but `within` is a day, week or month. An impossible search is an error on the page,
 * a refusal as text.
 */
export function search(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const searched = z.object({ q: searchText(ctx.limits) });
  return async (req, res) => {
    const query = parseQuery(QUERY, req.originalUrl);
    const form = pageForm(req, query);
    const { q: sent, match, room, visibility, author, within, before } = query;
    const filters = { match, room, visibility, author, within };
    const wanted = { ...filters, before };
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
      const fault = `This text cannot be searched for: it takes ${min} to ${max} characters.`;
      const page = { ...wanted, q: sent, found: null, fault };
      sendPage(req, res, searchHtml(ctx, page), 400);
      return;
    }
    const network = requestNetwork(req, ctx.trustedProxies);
    ctx.readLimiter.take('searches_per_network_minute', network);
    const { messages_page_default: limit } = ctx.limits;
    const from = await firstOf(ctx, within);
    const view = viewOptions(ctx, { preview: EXCERPT });
    const find = async (most: number) => {
      const part = { room, visibility, author, before, from, limit: most };
      const page = { q, match, ...part };
      const empty = { match: null };
      const { data: results, older } = await searchPage(ctx, page, view);
      const more = canonical({ q, ...filters, before: older });
      const next = older === null ? null : `/search${more}`;
      const roots = results.map(({ root_id }) => root_id);
      const titles = await topicTitles(ctx.reads, roots);
      const { match: better } =
        results.length > 0 ? empty : await betterMatch(ctx, page);
      return { results, titles, next, better };
    };
    await sendForm(req, res, query, {
      html: async (most) => {
        const found = await find(Math.min(most, limit));
        return searchHtml(ctx, { ...wanted, q, found });
      },
      text: async () => {
        const { results, next, better } = await find(limit);
        const words = canonical({ q, ...filters, match: better });
        const head = {
          q,
          ...filters,
          next: nextAsText(baseUrl, next),
          ...(better === null
            ? {}
            : {
                note: `${NOT_FOUND[better]}: ${baseUrl}/search${words}&format=text`,
              }),
        };
        const items = results.map((one) => messageAsItem('MESSAGE', one));
        return listAsText('SEARCH', head, items);
      },
    });
  };
}

const DAYS = { day: 1, week: 7, month: 30 } as const;

/** First message since then; beyond all where there is none. */
async function firstOf(
  { reads, clock }: Context,
  within: Filters['within'],
): Promise<number> {
  if (within === undefined) return 0;
  const since = clock.now() - DAYS[within] * DAY_MS;
  return (await firstMessageSince(reads, since)) ?? Number.MAX_SAFE_INTEGER;
}
