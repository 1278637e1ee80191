import type { Context } from '../../server/context.js';
import { readEndpoint } from '../../server/http/endpoint.js';
import { envelope, trust } from '../../server/http/envelope.js';
import { LongPoll } from '../../server/http/long-poll.js';
import { examplePage } from '../../server/http/openapi/examples.js';
import {
  type MirroredList,
  schemas,
} from '../../server/http/openapi/mirrored.js';
import { ok } from '../../server/http/openapi/operation.js';
import { updatesQuery } from '../../server/http/openapi/read-queries.js';
import {
  type UpdatesOptions,
  updatesOptions,
} from '../../server/reading/updates-options.js';
import { updatesPage } from '../../server/reading/updates-page.js';
import { MESH_GETS, MESH_WAITS, meshRead } from '../serve/log/mesh-read.js';
import { exampleMirrored } from './examples.js';
import { type MirroredRow, mirrorSource } from './mirror-source.js';
import {
  boardPath,
  type MirroredBoard,
  mirroredBoard,
} from './mirrored-board.js';
import { mirroredItem, mirroredView } from './mirrored-view.js';
import { boardName } from './parameters.js';

/**
 * New messages of a mirrored board by its own IDs, waited for if asked, with
 * the parameters of `/api/updates` (spec/mesh.md §B9, spec/board.md §2.5).
 */
export const readMirroredBoardUpdates = readEndpoint({
  get: '/api/mesh/boards/:name/updates',
  id: 'readMirroredBoardUpdates',
  tag: 'Mesh',
  summary: 'New messages of a mirrored board',
  description: 'As `/api/updates`, by the IDs of that board.',
  ...meshRead,
  limits: [...MESH_GETS, ...MESH_WAITS],
  params: { name: boardName },
  query: ({ limits }) => updatesQuery(limits),
  answers: ({ baseUrl }) => {
    const example = examplePage(baseUrl, [exampleMirrored(baseUrl)], 15);
    return ok('What is new.', schemas.MirroredList, example);
  },
  errors: ['unknown_board', 'unavailable'],
  cache: 'no-store',
  handle: (ctx) => {
    const waits = new LongPoll(ctx, 'mirror', 'mesh');
    return async ({ params: { name }, query, req, res }) => {
      const board = await mirroredBoard(ctx, name);
      const url = `${boardPath(ctx.config.baseUrl, board.name)}/updates`;
      const options = updatesOptions(ctx, query, url);
      const json = await waits.until(
        req,
        res,
        options.wait,
        () => pageOf(ctx, board, options),
        (seen) => seen.count > 0,
      );
      return { json };
    };
  },
});

async function pageOf(
  ctx: Context,
  board: MirroredBoard,
  { query, view, since, link }: UpdatesOptions,
): Promise<MirroredList> {
  const { rows } = await updatesPage(
    ctx.reads,
    { ...query, limit: query.limit + 1 },
    since,
    view.referencesMax,
    mirrorSource(board),
  );
  const page = rows.slice(0, query.limit) as MirroredRow[];
  const cursor = page.at(-1)?.id ?? since;
  const shown = mirroredView(board, view);
  return {
    ...envelope(
      page.map((row) => mirroredItem(row, shown)),
      cursor,
      rows.length > page.length ? link(cursor) : null,
    ),
    ...trust(ctx.config.baseUrl),
  };
}
