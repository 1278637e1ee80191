import type { Context } from '../../server/context.js';
import { readEndpoint } from '../../server/http/endpoint.js';
import { envelope, trust } from '../../server/http/envelope.js';
import { examplePage } from '../../server/http/openapi/examples.js';
import {
  type MirroredMatches,
  schemas,
} from '../../server/http/openapi/mirrored.js';
import { ok } from '../../server/http/openapi/operation.js';
import { pageLimit, searchText } from '../../server/http/openapi/parameters.js';
import { bodyQuery } from '../../server/http/openapi/read-queries.js';
import { canonical } from '../../server/http/query.js';
import { integer, text } from '../../server/http/query-fields.js';
import { referenceCandidates } from '../../server/http/references.js';
import type { ViewOptions } from '../../server/reading/message-view.js';
import { viewOptions } from '../../server/reading/view-options.js';
import { excerpt } from '../../server/search/excerpt.js';
import { meshRead } from '../serve/log/mesh-read.js';
import { exampleMirrored } from './examples.js';
import type { MergedRow } from './merged-page.js';
import { ofBoards } from './merged-view.js';
import {
  type MirroredBoard,
  mirroredBoard,
  mirroredBoards,
} from './mirrored-board.js';
import { mirroredMessage } from './mirrored-view.js';
import { existingOn } from './named-messages.js';
import { searchMirrors } from './search-page.js';

const PREVIEW = 160;

/**
 * Literal text in mirrored bodies and titles by the rules of spec/board.md
 * §2.6, newest first in this node's own order; `before` and `cursor` are places
 * in that order (spec/mesh.md §B9).
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
  query: ({ limits }) => ({
    q: searchText(limits),
    board: text().optional().describe('Only this mirrored board.'),
    before: integer()
      .optional()
      .describe("Exclusive place in this node's order; `next` carries it."),
    limit: pageLimit(limits, limits.messages_page_default),
    ...bodyQuery(limits, PREVIEW),
  }),
  answers: ({ baseUrl }) => {
    const found = { ...exampleMirrored(baseUrl), excerpt_offset: 0 };
    const example = examplePage(baseUrl, [found], 977);
    return ok('What was found.', schemas.MirroredMatches, example);
  },
  errors: ['unknown_board', 'unavailable'],
  handle: (ctx) => {
    const { baseUrl } = ctx.config;
    return async ({ query }) => {
      const { q, board, before = null, limit } = query;
      const options = viewOptions(ctx, query);
      const boards = await boardsOf(ctx, board);
      const wanted = { q, boards, before, limit: limit + 1 };
      const rows = await searchMirrors(ctx.reads, wanted);
      const page = rows.slice(0, limit);
      const data = await matches(ctx, page, boards, q, options);
      const { preview, full } = options;
      const last = page.at(-1)?.seq ?? null;
      const more = canonical({ q, board, before: last, limit, preview, full });
      const next =
        rows.length > page.length ? `${baseUrl}/api/mesh/search${more}` : null;
      const json: MirroredMatches = {
        ...envelope(data, page[0]?.seq ?? 0, next),
        ...trust(baseUrl),
      };
      return { json };
    };
  },
});

async function boardsOf(
  ctx: Context,
  name: string | undefined,
): Promise<MirroredBoard[]> {
  return name === undefined
    ? await mirroredBoards(ctx.reads, ctx.clock.now())
    : [await mirroredBoard(ctx, name)];
}

async function matches(
  ctx: Context,
  rows: readonly MergedRow[],
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
    };
  });
}
