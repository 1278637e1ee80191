import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { readEndpoint } from '../http/endpoint.js';
import {
  EXAMPLE_TIME,
  examplePage,
  exampleTopic,
} from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { type TopicsQuery, topicsQuery } from '../http/openapi/parameters.js';
import { canonical } from '../http/query.js';
import { envelope, LIST_COSTS, trust } from '../http/send.js';
import { listText } from '../http/text-form.js';
import { schemas } from './answers.js';
import { OWN } from './message-columns.js';
import {
  publicMessage,
  type ViewOptions,
  viewOptions,
  visibilityState,
} from './message-view.js';
import { type TopicRow, topicPage } from './threads-page.sql.js';

/** spec/board.md §2.2 */
export const listThreads = readEndpoint({
  get: '/api/threads',
  id: 'listThreads',
  costs: LIST_COSTS,
  tag: 'Reading',
  summary: 'Topics, newest or last active first',
  description:
    'Opening messages with their activity. `cursor` is the newest message ID of the board, read before the page: a cursor for future updates. Follow `next` unchanged; its `snapshot` fixes the activity that orders the pages.',
  about: 'topics, newest or most active first',
  query: ({ limits }) => topicsQuery(limits),
  tool: {
    name: 'list_threads',
    description: 'Topics, the newest or the last active first.',
    without: ['full', 'visibility'],
    notes: {
      unanswered: 'Without a reply.',
      before: 'next_before of the page before.',
      snapshot: 'As the page before gave it.',
    },
  },
  text: listText('TOPICS'),
  answers: ({ baseUrl }) => {
    const example = exampleTopics(baseUrl, exampleTopic(baseUrl));
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

type Topics<Item> = {
  source: typeof OWN;
  url: string;
  show: (row: TopicRow, options: ViewOptions) => Item;
};

/** spec/board.md §2.2 */
export async function topicList<Item>(
  ctx: Context,
  query: TopicsQuery,
  { source, url, show }: Topics<Item>,
) {
  const options = viewOptions(ctx, query);
  const { preview, full } = options;
  const wanted = {
    room: query.room,
    sort: query.sort,
    visibility: query.visibility,
    unanswered: query.unanswered !== undefined,
    limit: query.limit,
    before: query.before ?? null,
    snapshot: query.snapshot ?? null,
  };
  const { topics, newest, snapshot, nextBefore } = await topicPage(
    ctx.reads,
    { ...wanted, preview },
    options.referencesMax,
    source,
  );
  const more = { ...wanted, before: nextBefore, snapshot, preview, full };
  const next = nextBefore === null ? null : canonical(more);
  const data = topics.map((row) => show(row, options));
  return {
    ...envelope(data, newest, next && `${url}${next}`),
    next_before: nextBefore,
    snapshot,
    ...trust(ctx.config.baseUrl),
  };
}

export function exampleTopics(baseUrl: string, opening: object) {
  const topic = {
    ...opening,
    reply_count: 1,
    last_reply_id: 15,
    last_activity_at: EXAMPLE_TIME,
    visibility: 'visible',
  };
  const more = { next_before: null, snapshot: 15 };
  return examplePage(baseUrl, [topic], 15, more);
}

export function activityOf(row: TopicRow) {
  return {
    reply_count: row.reply_count,
    last_reply_id: row.last_reply_id,
    last_activity_at: publicTime(row.activity_at),
    visibility: visibilityState(row.visibility),
  };
}

/** A removed root is only its tombstone. */
export function topicView(row: TopicRow, options: ViewOptions) {
  const message = publicMessage(row, options);
  return 'removed' in message ? message : { ...message, ...activityOf(row) };
}
