import type { RequestHandler } from 'express';
import type { Context } from '../../server/context.js';
import { envelope, trust } from '../../server/envelope.js';
import { sendJson } from '../../server/http/conditional.js';
import { canonical, readQuery } from '../../server/http/query.js';
import type { MirroredMatches } from '../../server/openapi/mirrored.js';
import { excerpt } from '../../server/text/excerpt.js';
import { referenceCandidates } from '../../server/text/references.js';
import type { ViewOptions } from '../../server/threads/message-view.js';
import { searchText } from '../../server/threads/search-results.js';
import { pageLimit, viewOptions } from '../../server/threads/view-options.js';
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
 * GET /api/mesh/search?q&board&limit&before: literal text in mirrored bodies
 * and titles by the rules of spec/board.md §2.6, newest first in this node's
 * own order; `before` and `cursor` are places in that order (spec/mesh.md §B9).
 * 404
 * `unknown_board`; never this board's own messages.
 */
export function search(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const query = readQuery(req);
    const wanted = {
      q: searchText(ctx, query),
      board: query.string('board'),
      before: query.integer('before', { default: null }),
      limit: pageLimit(ctx, query, ctx.limits.messages_page_default),
    };
    const options = viewOptions(ctx, query, PREVIEW);
    const boards = await boardsOf(ctx, wanted.board);
    const asked = { ...wanted, boards, limit: wanted.limit + 1 };
    const rows = await searchMirrors(ctx.reads, asked);
    const page = rows.slice(0, wanted.limit);
    const data = await matches(ctx, page, boards, wanted.q, options);
    const { preview, full } = options;
    const before = page.at(-1)?.seq ?? null;
    const next =
      rows.length > page.length
        ? `${baseUrl}/api/mesh/search${canonical({ ...wanted, before, preview, full })}`
        : null;
    const answer: MirroredMatches = {
      ...envelope(data, page[0]?.seq ?? 0, next),
      ...trust(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}

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
