import type { RequestHandler } from 'express';
import type { Context } from '../../server/context.js';
import { envelope, trust } from '../../server/envelope.js';
import { sendJson } from '../../server/http/conditional.js';
import { LongPoll } from '../../server/http/long-poll.js';
import { readQuery } from '../../server/http/query.js';
import type { MirroredList } from '../../server/openapi/mirrored.js';
import {
  type UpdatesOptions,
  updatesOptions,
} from '../../server/threads/updates-options.js';
import { updatesPage } from '../../server/threads/updates-page.js';
import { type MirroredRow, mirrorSource } from './mirror-source.js';
import {
  boardPath,
  type MirroredBoard,
  mirroredBoard,
} from './mirrored-board.js';
import { mirroredItem, mirroredView } from './mirrored-view.js';

/**
 * GET /api/mesh/boards/{name}/updates?since&wait: new messages of a mirrored
 * board by its own IDs, with the parameters of `/api/updates` (spec/mesh.md
 * §B9, spec/board.md §2.5). 404 `unknown_board`.
 */
export function updates(ctx: Context): RequestHandler {
  const waits = new LongPoll(ctx, 'mirror', 'mesh');
  return async (req, res) => {
    const board = await mirroredBoard(ctx, req.params.name);
    const url = `${boardPath(ctx.config.baseUrl, board.name)}/updates`;
    const options = updatesOptions(ctx, readQuery(req), url);
    const answer = await waits.until(
      req,
      res,
      options.wait,
      () => pageOf(ctx, board, options),
      (seen) => seen.count > 0,
    );
    if (!res.destroyed) sendJson(req, res, answer, { cache: 'no-store' });
  };
}

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
