import type { RequestHandler } from 'express';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { envelope, trust } from '../envelope.js';
import { sendJson } from '../http/conditional.js';
import { canonical, readQuery } from '../http/query.js';
import { requestNetwork } from '../http/request-network.js';
import { takeRead } from '../http/take-read.js';
import type { SearchResults } from '../threads/answers.js';
import { searchMessages } from '../threads/search-page.js';
import { searchResults, searchText } from '../threads/search-results.js';
import { pageLimit, viewOptions } from '../threads/view-options.js';

const PREVIEW = 160;

/** GET /api/search: literal text in bodies and titles (spec/board.md §2.6). */
export function search(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const query = readQuery(req);
    const wanted = {
      q: searchText(ctx, query),
      room: query.oneOf('room', ROOMS),
      visibility: query.oneOf('visibility', ['hidden', 'all']),
      before: query.integer('before', { default: null }),
      limit: pageLimit(ctx, query, ctx.limits.messages_page_default),
    };
    const options = viewOptions(ctx, query, PREVIEW);
    const network = requestNetwork(req, ctx.trustedProxies);
    takeRead(ctx, res, 'searches_per_network_minute', network);

    const limit = wanted.limit + 1;
    const rows = await searchMessages(ctx.reads, { ...wanted, limit });
    const page = rows.slice(0, wanted.limit);
    const data = await searchResults(ctx, page, wanted.q, options);
    const last = data.at(-1)?.id ?? null;
    const { preview, full } = options;
    const next =
      rows.length > page.length
        ? `${baseUrl}/api/search${canonical({ ...wanted, before: last, preview, full })}`
        : null;
    const cursor = data[0]?.id ?? 0;
    const answer: SearchResults = {
      ...envelope(data, cursor, next),
      ...trust(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
