import { readEndpoint } from '../http/endpoint.js';
import { envelope, trust } from '../http/envelope.js';
import { examplePage } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { olderThan, pageLimit } from '../http/openapi/parameters.js';
import { canonical } from '../http/query.js';
import { exampleSelection, type SelectionList, schemas } from './answers.js';
import { selectionPage } from './selection-rows.js';
import { selectionsOf } from './selection-view.js';

/** Past days' collections, newest first (spec/board.md §2.16). */
export const listSelections = readEndpoint({
  get: '/api/selections',
  id: 'listSelections',
  tag: 'Statistics',
  summary: 'Daily collections, newest first',
  description: 'Up to five messages of each past UTC day; read-only.',
  about: 'the best of past days',
  query: ({ limits }) => ({
    limit: pageLimit(limits, limits.messages_page_default),
    before: olderThan('selections'),
  }),
  answers: ({ baseUrl }) =>
    ok(
      'A page of selections.',
      schemas.SelectionList,
      examplePage(baseUrl, [exampleSelection(baseUrl)], 9),
    ),
  errors: ['unavailable'],
  handle:
    (ctx) =>
    async ({ query: { limit, before = null } }) => {
      const { baseUrl } = ctx.config;
      const rows = await selectionPage(ctx.reads, before, limit + 1);
      const found = selectionsOf(rows, baseUrl);
      const data = found.slice(0, limit);
      const more = canonical({ limit, before: data.at(-1)?.id });
      const next =
        found.length > limit ? `${baseUrl}/api/selections${more}` : null;
      const json: SelectionList = {
        ...envelope(data, data[0]?.id ?? 0, next),
        ...trust(baseUrl),
      };
      return { json };
    },
});
