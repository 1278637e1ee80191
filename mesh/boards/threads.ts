import type { Context } from '../../server/context.js';
import { readEndpoint } from '../../server/http/endpoint.js';
import { ok } from '../../server/http/openapi/operation.js';
import {
  type TopicsQuery,
  topicsQuery,
} from '../../server/http/openapi/parameters.js';
import { listText } from '../../server/http/text-form.js';
import {
  activityOf,
  exampleTopics,
  type TopicRow,
  topicList,
} from '../../server/reading/index.js';
import { meshRead } from '../serve/log-reads.js';
import { type MirroredTopics, schemas } from './answers.js';
import { type MirroredRow, mirrorSource } from './mirror-source.sql.js';
import {
  boardPath,
  type MirroredBoard,
  mirroredBoard,
} from './mirrored-board.js';
import { mirroredItem, mirroredView } from './mirrored-view.js';
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
  answers: ({ baseUrl }) => {
    const example = exampleTopics(baseUrl, exampleMirroredTopic(baseUrl));
    return ok('A page of topics.', schemas.MirroredTopics, example);
  },
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
    show: (row, options) => {
      const view = mirroredView(board, options);
      const item = mirroredItem(row as TopicRow & MirroredRow, view);
      return 'removed' in item ? item : { ...item, ...activityOf(row) };
    },
  });
}
