import { publicTime } from '../../server/clock.js';
import type { Context } from '../../server/context.js';
import { readEndpoint } from '../../server/http/endpoint.js';
import {
  EXAMPLE_TIME,
  examplePage,
} from '../../server/http/openapi/examples.js';
import { ok } from '../../server/http/openapi/operation.js';
import {
  type TopicsQuery,
  topicsQuery,
} from '../../server/http/openapi/parameters.js';
import { listText } from '../../server/http/text-form.js';
import {
  type TopicRow,
  topicList,
  visibilityState,
} from '../../server/reading/index.js';
import { meshRead } from '../serve/log-reads.js';
import { type MirroredTopics, schemas } from './answers.js';
import { type MirroredRow, mirrorSource } from './mirror-source.sql.js';
import {
  boardPath,
  type MirroredBoard,
  mirroredBoard,
} from './mirrored-board.js';
import {
  type MirroredView,
  mirroredItem,
  mirroredView,
} from './mirrored-view.js';
import { boardName, exampleMirroredTopic } from './parameters.js';

/** Like `/api/threads` (spec/mesh.md §B9, spec/board.md §2.2). */
export const listMirroredThreads = readEndpoint({
  get: '/api/mesh/boards/:name/threads',
  id: 'listMirroredThreads',
  tag: 'Mesh',
  summary: 'Topics of a mirrored board',
  description:
    "As `/api/threads`, without scores. Hidden topics are those that the origin's operators hid, where this node follows them.",
  about:
    'topics of another board; under it also `/thread/{id}`, `/updates`, `/messages/{id}` and its `/proof`',
  ...meshRead,
  params: { name: boardName },
  query: ({ limits }) => topicsQuery(limits),
  tool: {
    name: 'list_threads',
    without: ['full', 'visibility'],
    called: { name: 'board' },
  },
  text: listText('TOPICS'),
  answers: ({ baseUrl }) =>
    ok('A page of topics.', schemas.MirroredTopics, exampleTopics(baseUrl)),
  errors: ['unknown_board', 'unavailable'],
  handle:
    (ctx) =>
    async ({ params: { name }, query }) => {
      const board = await mirroredBoard(ctx, name);
      return { json: await mirroredTopics(ctx, board, query) };
    },
});

export async function mirroredTopics(
  ctx: Context,
  board: MirroredBoard,
  query: TopicsQuery,
): Promise<MirroredTopics> {
  const path = boardPath(ctx.config.baseUrl, board.name);
  return await topicList(ctx, query, {
    source: mirrorSource(board),
    url: `${path}/threads`,
    show: (row, options) => topic(row, mirroredView(board, options)),
  });
}

function topic(row: TopicRow, view: MirroredView): MirroredTopics['data'][0] {
  const item = mirroredItem(row as TopicRow & MirroredRow, view);
  if ('removed' in item) return item;
  return {
    ...item,
    reply_count: row.reply_count,
    last_reply_id: row.last_reply_id,
    last_activity_at: publicTime(row.activity_at),
    visibility: visibilityState(row.visibility),
  };
}

function exampleTopics(baseUrl: string) {
  const topic = {
    ...exampleMirroredTopic(baseUrl),
    reply_count: 1,
    last_reply_id: 15,
    last_activity_at: EXAMPLE_TIME,
    visibility: 'visible',
  };
  const more = { next_before: null, snapshot: 15 };
  return examplePage(baseUrl, [topic], 15, more);
}
