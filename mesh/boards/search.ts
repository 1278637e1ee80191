import type { Context } from '../../server/context.js';
import { readEndpoint } from '../../server/http/endpoint.js';
import { examplePage } from '../../server/http/openapi/examples.js';
import { ok } from '../../server/http/openapi/operation.js';
import {
  bodyQuery,
  pageLimit,
  searchText,
} from '../../server/http/openapi/parameters.js';
import { canonical, integer, text } from '../../server/http/query.js';
import { envelope, trust } from '../../server/http/send.js';
import { listText } from '../../server/http/text-form.js';
import { referenceCandidates } from '../../server/http/urls.js';
import { type ViewOptions, viewOptions } from '../../server/reading/index.js';
import { excerpt } from '../../server/search/index.js';
import { MESH_GETS, meshRead } from '../serve/log-reads.js';
import { type MirroredMatches, schemas } from './answers.js';
import { existingOn } from './merged-page.sql.js';
import {
  type MirroredBoard,
  mirroredBoard,
  mirroredBoards,
  noneThere,
} from './mirrored-board.js';
import { mirroredMessage, ofBoards } from './mirrored-view.js';
import { exampleMirrored } from './parameters.js';
import { type FoundRow, searchMirrors } from './search.sql.js';

const PREVIEW = 160;

/**
 * By spec/board.md §2.6, newest first in this node's order, which `before` and
 * `cursor` refer to (spec/mesh.md §B9).
 */
export const searchMirroredBoards = readEndpoint({
  get: '/api/mesh/search',
  id: 'searchMirroredBoards',
  tag: 'Mesh',
  summary: 'Literal text in mirrored bodies and titles',
  description:
    "By the rules of `/api/search`, newest first in this node's own order. `before` and `cursor` are places in that order: follow `next`. This board's own messages are not looked through.",
  about: 'literal search in them',
  ...meshRead,
  limits: [...MESH_GETS, 'searches_per_network_minute'],
  query: ({ limits }) => ({
    q: searchText(limits),
    board: text().optional().describe('Only this mirrored board.'),
    before: integer()
      .optional()
      .describe("Exclusive place in this node's order; `next` carries it."),
    limit: pageLimit(limits, limits.messages_page_default),
    ...bodyQuery(limits, PREVIEW),
  }),
  tool: { name: 'search', without: ['full'], ofAllBoards: true },
  text: listText('FOUND'),
  answers: ({ baseUrl }) => {
    const found = {
      ...exampleMirrored(baseUrl),
      excerpt_offset: 0,
      root_title: 'Retry storms after a restart',
    };
    const example = examplePage(baseUrl, [found], 977);
    return ok('What was found.', schemas.MirroredMatches, example);
  },
  errors: ['unknown_board', 'unavailable'],
  handle: (ctx) => {
    const { baseUrl } = ctx.config;
    return async ({ query, take }) => {
      take('searches_per_network_minute');
      const { q, board, before = null, limit } = query;
      const options = viewOptions(ctx, query);
      const boards =
        board === undefined
          ? await mirroredBoards(ctx.reads, ctx.clock.now())
          : [await mirroredBoard(ctx, board)];
      const wanted = { q, boards, before, limit: limit + 1 };
      const rows = await searchMirrors(ctx.slowReads, wanted);
      const page = rows.slice(0, limit);
      const data = await matches(ctx, page, boards, q, options);
      const { preview, full } = options;
      const last = page.at(-1)?.seq ?? null;
      const more = canonical({ q, board, before: last, limit, preview, full });
      const next =
        rows.length > page.length ? `${baseUrl}/api/mesh/search${more}` : null;
      const json: MirroredMatches = {
        ...envelope(data, page[0]?.seq ?? 0, next),
        ...noneThere(boards),
        ...trust(baseUrl),
      };
      return { json };
    };
  },
});

async function matches(
  ctx: Context,
  rows: readonly FoundRow[],
  boards: readonly MirroredBoard[],
  q: string,
  options: ViewOptions,
): Promise<MirroredMatches['data']> {
  const found = rows.map((row) => {
    const body = row.body ?? '';
    return { ...row, body, shown: excerpt(body, q, options.preview) };
  });
  const named = found.flatMap(({ origin_id: originId, shown }) =>
    referenceCandidates(shown.text).map((id) => ({ originId, id })),
  );
  const existing = await existingOn(ctx.reads, boards, named);
  return ofBoards(found, boards, options, ({ shown, ...row }, view) => {
    const known = { ...row, existing: existing.get(row.origin_id) ?? null };
    return {
      ...mirroredMessage(known, row.body, view, shown.text),
      excerpt_offset: shown.offset,
      root_title: row.root_title,
    };
  });
}
