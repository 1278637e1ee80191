import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { readEndpoint } from '../http/endpoint.js';
import { trust } from '../http/envelope.js';
import { exampleTrust } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { pathId } from '../http/path-fields.js';
import { exampleSelection, type SelectionRead, schemas } from './answers.js';
import { selectionCards } from './selection-rows.js';
import { selectionsOf } from './selection-view.js';

/** One past day's collection (spec/board.md §2.16). */
export const readSelection = readEndpoint({
  get: '/api/selections/:id',
  id: 'readSelection',
  tag: 'Statistics',
  summary: 'One daily collection',
  description: 'Removed and excluded originals stay as tombstones.',
  about: 'one past day',
  params: {
    id: pathId.describe('The ID of a selection.').meta({ examples: [9] }),
  },
  missing: unknown,
  answers: ({ baseUrl }) =>
    ok('The selection.', schemas.SelectionRead, {
      ...exampleSelection(baseUrl),
      ...exampleTrust(baseUrl),
    }),
  errors: ['selection_not_found', 'unavailable'],
  handle:
    (ctx) =>
    async ({ params: { id } }) => {
      const { baseUrl } = ctx.config;
      const rows = await selectionCards(ctx.reads, id);
      const [selection] = selectionsOf(rows, baseUrl);
      if (selection === undefined) throw unknown(ctx);
      const json: SelectionRead = { ...selection, ...trust(baseUrl) };
      return { json };
    },
});

function unknown({ config }: Pick<Context, 'config'>): BoardError {
  return new BoardError(
    'selection_not_found',
    `No selection has this ID; ${config.baseUrl}/api/selections lists them.`,
  );
}
