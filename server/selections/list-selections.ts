import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { envelope, trust } from '../envelope.js';
import { sendJson } from '../http/conditional.js';
import { canonical, readQuery } from '../http/query.js';
import { pageLimit } from '../threads/view-options.js';
import type { SelectionList } from './contract.js';
import { selectionPage } from './selection-rows.js';
import { selectionsOf } from './selection-view.js';

/** GET /api/selections: past days' collections, newest first, by `before`. */
export function listSelections(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const query = readQuery(req);
    const limit = pageLimit(ctx, query, ctx.limits.messages_page_default);
    const before = query.integer('before', { default: null });
    const rows = await selectionPage(ctx.reads, before, limit + 1);
    const found = selectionsOf(rows, baseUrl);
    const data = found.slice(0, limit);
    const more = canonical({ limit, before: data.at(-1)?.id });
    const next =
      found.length > limit ? `${baseUrl}/api/selections${more}` : null;
    const answer: SelectionList = {
      ...envelope(data, data[0]?.id ?? 0, next),
      ...trust(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
