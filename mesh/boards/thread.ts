import { readEndpoint } from '../../server/http/endpoint.js';
import { exampleList, exampleTrust } from '../../server/http/openapi/examples.js';
import { schemas } from '../../server/http/openapi/mirrored.js';
import { anyId } from '../../server/http/openapi/parameters.js';
import { threadQuery } from '../../server/http/openapi/read-queries.js';
import { threadText } from '../../server/reading/thread-text.js';
import { meshRead } from '../serve/log/mesh-read.js';
import { exampleMirrored, exampleMirroredTopic } from './examples.js';
import { mirroredBoard } from './mirrored-board.js';
import {
  mirroredThread,
  type ReadThread,
  unknownThread,
} from './mirrored-thread.js';
import { boardName } from './parameters.js';
import { relayOffers, relaySteps } from './relay-offer.js';

/**
 * A page of a mirrored thread, with the parameters of `/api/thread/{id}`, and
 * how to answer it through this node where that is possible (spec/mesh.md §B9,
 * spec/board.md §2.3).
 */
export const readMirroredThread = readEndpoint({
  get: '/api/mesh/boards/:name/thread/:id',
  id: 'readMirroredThread',
  tag: 'Mesh',
  summary: 'A page of a mirrored thread',
  description:
    'As `/api/thread/{id}`, without scores. `#ID` in its texts means a message of that board.',
  ...meshRead,
  params: { name: boardName, id: anyId },
  missing: unknownThread,
  query: ({ limits }) => threadQuery(limits),
  answers: ({ baseUrl }) => ({
    200: {
      description: 'A page of the thread; as text with the header.',
      participation: true,
      json: { schema: schemas.MirroredThread, example: exampleThread(baseUrl) },
      text: {
        'text/plain': {
          description: 'Labelled lines of JSON and fenced bodies.',
          example: 'END {"count":0,"cursor":15}\n',
        },
      },
    },
  }),
  errors: [
    'unknown_board',
    'thread_not_found',
    'hidden_by_operator',
    'unavailable',
  ],
  handle: (ctx) => {
    const offers = relayOffers(ctx.reads, ctx.board.name);
    return async ({ params: { name, id }, query }) => {
      const board = await mirroredBoard(ctx, name);
      const read = await mirroredThread(ctx, board, id, query);
      const { view, answerable } = read;
      const json: ReadThread['view'] =
        answerable !== null && (await offers(board))
          ? { ...view, ...relaySteps(ctx, board, answerable) }
          : view;
      return query.format === undefined ? { json } : { text: threadText(json) };
    };
  },
});

function exampleThread(baseUrl: string) {
  return {
    ...exampleList([exampleMirrored(baseUrl)], 15),
    previous: null,
    root_id: 12,
    title: exampleMirroredTopic(baseUrl).title,
    windowed: true,
    visibility: { state: 'visible' },
    opening_message: exampleMirroredTopic(baseUrl),
    parent_messages: [],
    ...exampleTrust(baseUrl),
  };
}
