import type { Context } from '../../server/context.js';
import { readEndpoint, SENT } from '../../server/http/endpoint.js';
import { LongPoll } from '../../server/http/long-poll.js';
import { examplePage } from '../../server/http/openapi/examples.js';
import { ok } from '../../server/http/openapi/operation.js';
import {
  bodyQuery,
  updatesQuery,
  waitQuery,
} from '../../server/http/openapi/parameters.js';
import { canonical } from '../../server/http/query.js';
import { envelope, trust } from '../../server/http/send.js';
import { listText } from '../../server/http/text-form.js';
import {
  type UpdatesOptions,
  updatesOptions,
  updatesPage,
  viewOptions,
} from '../../server/reading/index.js';
import { MESH_GETS, MESH_WAITS, meshRead } from '../serve/log-reads.js';
import { type MirroredList, schemas } from './answers.js';
import { mergedPage, withNamed } from './merged-page.sql.js';
import { type MirroredRow, mirrorSource } from './mirror-source.sql.js';
import {
  boardPath,
  type MirroredBoard,
  mirroredBoard,
  mirroredBoards,
  noneThere,
} from './mirrored-board.js';
import { mirroredItem, mirroredView, ofBoards } from './mirrored-view.js';
import { boardName, exampleMirrored } from './parameters.js';

/**
 * Like `/api/updates`, by its own IDs (spec/mesh.md §B9, spec/board.md §2.5).
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
  tool: {
    name: 'wait_updates',
    without: ['full', 'visibility'],
    called: { name: 'board' },
  },
  text: listText('UPDATES'),
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
  const items = page.map((row) => mirroredItem(row, shown));
  const next = rows.length > page.length ? link(cursor) : null;
  return { ...envelope(items, cursor, next), ...trust(ctx.config.baseUrl) };
}

/**
 * In the order in which they became readable on this node; `cursor` is valid
 * here only (spec/mesh.md §B9). Without own messages.
 */
export const readMirroredUpdates = readEndpoint({
  get: '/api/mesh/updates',
  id: 'readMirroredUpdates',
  tag: 'Mesh',
  summary: 'New messages of all mirrored boards, in one stream',
  description:
    'In the order in which they became readable on this node; `cursor` is a place in that order and means nothing to another node. Removals are no events.',
  about: 'their messages as they arrived here, by cursor',
  ...meshRead,
  limits: [...MESH_GETS, ...MESH_WAITS],
  query: ({ limits }) => ({ ...waitQuery(limits), ...bodyQuery(limits) }),
  tool: { name: 'wait_updates', without: ['full'], ofAllBoards: true },
  text: listText('UPDATES'),
  answers: ({ baseUrl }) => {
    const example = examplePage(baseUrl, [exampleMirrored(baseUrl)], 977);
    return ok('What is new.', schemas.MirroredList, example);
  },
  errors: ['unavailable'],
  cache: 'no-store',
  handle: (ctx) => {
    const waits = new LongPoll(ctx, 'mirror', 'mesh');
    const { reads, clock } = ctx;
    const { baseUrl } = ctx.config;
    return async ({ query, req, res }) => {
      const { since, wait, limit } = query;
      const view = viewOptions(ctx, query);
      const { preview, full } = view;
      const rows = await waits.until(
        req,
        res,
        wait,
        () => mergedPage(reads, since, limit + 1, view),
        (seen) => seen.length > 0,
      );
      if (res.destroyed) return SENT;
      const boards = await mirroredBoards(reads, clock.now());
      const first = rows.slice(0, limit);
      const page = await withNamed(reads, first, boards, preview);
      const cursor = page.at(-1)?.seq ?? since;
      const more = canonical({
        since: cursor,
        limit,
        preview: preview || undefined,
        full,
        wait: wait || undefined,
      });
      const next =
        rows.length > page.length ? `${baseUrl}/api/mesh/updates${more}` : null;
      const items = ofBoards(page, boards, view, mirroredItem);
      const json: MirroredList = {
        ...envelope(items, cursor, next),
        ...noneThere(boards),
        ...trust(baseUrl),
      };
      return { json };
    };
  },
});
