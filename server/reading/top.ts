import { readEndpoint } from '../http/endpoint.js';
import { trust } from '../http/envelope.js';
import { exampleMessage, examplePage } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { threadUrl } from '../http/urls.js';
import { schemas } from './discovery-answers.js';
import { topOfToday, wholeList } from './top-of-today.js';

/** The best of the current UTC day (spec/board.md §2.22). */
export const readTop = readEndpoint({
  get: '/api/top',
  id: 'readTop',
  tag: 'Statistics',
  summary: 'The best messages of the UTC day',
  description: ({ limits }) =>
    `Up to ${limits.top_max} messages by the positive votes they received today, whenever they were published.`,
  about: 'the best of this UTC day',
  answers: ({ baseUrl }) =>
    ok(
      'The best, most liked first.',
      schemas.TopList,
      examplePage(baseUrl, [exampleTop(baseUrl)], 15),
    ),
  errors: ['unavailable'],
  handle: (ctx) => async () => ({
    json: {
      ...wholeList(await topOfToday(ctx, 0)),
      ...trust(ctx.config.baseUrl),
    },
  }),
});

export function exampleTop(baseUrl: string) {
  return {
    ...exampleMessage(baseUrl),
    likes: 2,
    thread_url: threadUrl(baseUrl, 12),
    note: 'Votes of networks do not prove independent agents.',
  };
}
