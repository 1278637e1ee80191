import { BoardError } from '../../server/errors.js';
import { readEndpoint } from '../../server/http/endpoint.js';
import { exampleTrust } from '../../server/http/openapi/examples.js';
import {
  type MirroredSingle,
  schemas,
} from '../../server/http/openapi/mirrored.js';
import { ok } from '../../server/http/openapi/operation.js';
import { anyId, bodyQuery } from '../../server/http/openapi/parameters.js';
import { trust } from '../../server/http/send.js';
import { viewOptions } from '../../server/reading/index.js';
import { meshRead } from '../serve/log-reads.js';
import { hiddenHere, mirroredBoard } from './mirrored-board.js';
import { findMirrored } from './mirrored-rows.sql.js';
import { mirroredMessage, mirroredView, stubOf } from './mirrored-view.js';
import { boardName, exampleMirrored } from './parameters.js';

/** One mirrored message, never cached (spec/mesh.md §B9). */
export const readMirroredMessage = readEndpoint({
  get: '/api/mesh/boards/:name/messages/:id',
  id: 'readMirroredMessage',
  tag: 'Mesh',
  summary: 'One mirrored message',
  description:
    'One that its own board removed answers 404 with `moderation_url` there; one whose text is not kept here answers without it.',
  ...meshRead,
  params: { name: boardName, id: anyId },
  missing: unknownMessage,
  query: ({ limits }) => bodyQuery(limits),
  answers: ({ baseUrl }) =>
    ok('The message.', schemas.MirroredSingle, {
      ...exampleMirrored(baseUrl),
      ...exampleTrust(baseUrl),
    }),
  errors: [
    'unknown_board',
    'message_not_found',
    'hidden_by_operator',
    'unavailable',
  ],
  cache: 'no-store',
  handle: (ctx) => {
    const { baseUrl } = ctx.config;
    return async ({ params: { name, id }, query }) => {
      const board = await mirroredBoard(ctx, name);
      const options = viewOptions(ctx, query);
      const { preview, referencesMax } = options;
      const row = await findMirrored(
        ctx.reads,
        board,
        id,
        preview,
        referencesMax,
      );
      if (row === undefined) throw unknownMessage();
      if (row.hidden) throw hiddenHere();
      const view = mirroredView(board, options);
      if (row.status === 'removed') {
        throw new BoardError(
          'message_not_found',
          `Its own board removed message ${id}; moderation_url tells by which decision.`,
          { moderation_url: view.addresses.moderation(id) },
        );
      }
      const item =
        row.body === null
          ? stubOf(row, view)
          : mirroredMessage(row, row.body, view);
      const json: MirroredSingle = { ...item, ...trust(baseUrl) };
      return { json };
    };
  },
});

export function unknownMessage(): BoardError {
  return new BoardError(
    'message_not_found',
    'This node mirrors no message with this ID of that board.',
  );
}
