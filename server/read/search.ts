import type { RequestHandler } from 'express';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { canonical, type QueryReader, readQuery } from '../http/query.js';
import { requestNetwork } from '../http/request-network.js';
import { countCodePoints } from '../text/code-points.js';
import { excerpt } from '../text/excerpt.js';
import { referenceCandidates } from '../text/references.js';
import type { SearchResults } from './answers.js';
import { envelope, trust } from './envelope.js';
import type { MessageRow } from './message-columns.js';
import { shownMessage, type ViewOptions } from './message-view.js';
import { existingMessages, searchMessages } from './search-page.js';
import { pageLimit, viewOptions } from './view-options.js';

const PREVIEW = 160;

/** GET /api/search: literal text in bodies and titles (decisions 2.6). */
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
    ctx.readLimiter.take('searches_per_network_minute', network);

    const limit = wanted.limit + 1;
    const rows = await searchMessages(ctx.reads, { ...wanted, limit });
    const page = rows.slice(0, wanted.limit);
    const data = await results(ctx, page, wanted.q, options);
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

function searchText(ctx: Context, query: QueryReader): string {
  const { search_min: min, search_max: max } = ctx.limits;
  const q = query.string('q') ?? '';
  const length = countCodePoints(q);
  if (length >= min && length <= max) return q;
  throw new BoardError(
    'invalid_input',
    `\`q\` must be ${min} to ${max} characters (Unicode code points) to look for.`,
    { field: 'q' },
  );
}

async function results(
  ctx: Context,
  rows: readonly MessageRow[],
  q: string,
  options: ViewOptions,
) {
  const found = rows.map((row) => {
    const body = row.body ?? '';
    return { row, body, shown: excerpt(body, q, options.preview) };
  });
  const named = found.flatMap(({ shown }) => referenceCandidates(shown.text));
  const existing = await existingMessages(ctx.reads, named);
  return found.map(({ row, body, shown }) => ({
    ...shownMessage({ ...row, existing }, body, options, shown.text),
    excerpt_offset: shown.offset,
  }));
}
