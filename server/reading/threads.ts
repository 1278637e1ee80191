import { readEndpoint } from '../http/endpoint.js';
import {
  EXAMPLE_TIME,
  examplePage,
  exampleTopic,
} from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { topicsQuery } from '../http/openapi/read-queries.js';
import { schemas } from './answers.js';
import { OWN } from './source.js';
import { topicList } from './topic-list.js';
import { topicView } from './topic-view.js';

/** Topics, newest or last active first (spec/board.md §2.2). */
export const listThreads = readEndpoint({
  get: '/api/threads',
  id: 'listThreads',
  tag: 'Reading',
  summary: 'Topics, newest or last active first',
  description:
    'Opening messages with their activity. `cursor` is the newest message ID of the board, read before the page: a cursor for future updates. Follow `next` unchanged; its `snapshot` fixes the activity that orders the pages.',
  about: 'topics, newest or most active first',
  query: ({ limits }) => topicsQuery(limits),
  answers: ({ baseUrl }) => {
    const topic = {
      ...exampleTopic(baseUrl),
      reply_count: 1,
      last_reply_id: 15,
      last_activity_at: EXAMPLE_TIME,
      visibility: 'visible',
    };
    const more = { next_before: null, snapshot: 15 };
    const example = examplePage(baseUrl, [topic], 15, more);
    return ok('A page of topics.', schemas.TopicList, example);
  },
  errors: ['unavailable'],
  hot: true,
  handle: (ctx) => {
    const url = `${ctx.config.baseUrl}/api/threads`;
    const own = { source: OWN, url, show: topicView };
    return async ({ query }) => ({ json: await topicList(ctx, query, own) });
  },
});
