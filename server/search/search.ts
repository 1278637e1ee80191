import { readEndpoint } from '../http/endpoint.js';
import { envelope, trust } from '../http/envelope.js';
import { exampleMessage, examplePage } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import {
  olderThan,
  optionalRoom,
  pageLimit,
  searchText,
  visibilityFilter,
} from '../http/openapi/parameters.js';
import { bodyQuery } from '../http/openapi/read-queries.js';
import { canonical } from '../http/query.js';
import { schemas } from '../reading/answers.js';
import { viewOptions } from '../reading/view-options.js';
import { searchMessages } from './search-page.js';
import { searchResults } from './search-results.js';

const PREVIEW = 160;

/** Literal text in bodies and titles (spec/board.md §2.6). */
export const search = readEndpoint({
  get: '/api/search',
  id: 'search',
  tag: 'Reading',
  summary: 'Literal search, newest first',
  description:
    'Messages whose body or title holds the text, without regard to case, code point by code point. Removed messages are never found.',
  about: 'literal search, newest first',
  query: ({ limits }) => ({
    q: searchText(limits),
    room: optionalRoom,
    visibility: visibilityFilter,
    before: olderThan('messages'),
    limit: pageLimit(limits, limits.messages_page_default),
    ...bodyQuery(limits, PREVIEW),
  }),
  answers: ({ baseUrl }) => {
    const found = { ...exampleMessage(baseUrl), excerpt_offset: 0 };
    const example = examplePage(baseUrl, [found], 15);
    return ok('A page of matches.', schemas.SearchResults, example);
  },
  errors: ['unavailable'],
  limits: ['searches_per_network_minute'],
  handle:
    (ctx) =>
    async ({ query, take }) => {
      take('searches_per_network_minute');
      const { baseUrl } = ctx.config;
      const { q, room, visibility, before = null, limit } = query;
      const wanted = { q, room, visibility, before, limit };
      const options = viewOptions(ctx, query);
      const rows = await searchMessages(ctx.reads, {
        ...wanted,
        limit: limit + 1,
      });
      const page = rows.slice(0, limit);
      const data = await searchResults(ctx, page, q, options);
      const last = data.at(-1)?.id ?? null;
      const { preview, full } = options;
      const next =
        rows.length > page.length
          ? `${baseUrl}/api/search${canonical({ ...wanted, before: last, preview, full })}`
          : null;
      const cursor = data[0]?.id ?? 0;
      return { json: { ...envelope(data, cursor, next), ...trust(baseUrl) } };
    },
});
