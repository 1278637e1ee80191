import type { RequestHandler } from 'express';
import { publicTime } from '../../server/clock.js';
import type { Context } from '../../server/context.js';
import { sendJson } from '../../server/http/conditional.js';
import { type QueryReader, readQuery } from '../../server/http/query.js';
import type { MirroredTopics } from '../../server/openapi/mirrored.js';
import type { TopicRow } from '../../server/threads/threads-page.js';
import { topicList } from '../../server/threads/topic-list.js';
import { visibilityState } from '../../server/threads/visibility.js';
import { type MirroredRow, mirrorSource } from './mirror-source.js';
import {
  boardPath,
  type MirroredBoard,
  mirroredBoard,
} from './mirrored-board.js';
import {
  type MirroredView,
  mirroredItem,
  mirroredView,
} from './mirrored-view.js';

/**
 * GET /api/mesh/boards/{name}/threads: the topics of a mirrored board, with
 * the parameters of `/api/threads` (spec/mesh.md §B9, spec/board.md §2.2). 404
 * `unknown_board`.
 */
export function threads(ctx: Context): RequestHandler {
  return async (req, res) => {
    const board = await mirroredBoard(ctx, req.params.name);
    const answer = await mirroredTopics(ctx, board, readQuery(req));
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}

/** The page of topics that the parameters of a read ask for. */
export async function mirroredTopics(
  ctx: Context,
  board: MirroredBoard,
  query: QueryReader,
): Promise<MirroredTopics> {
  const path = boardPath(ctx.config.baseUrl, board.name);
  return await topicList(ctx, query, {
    source: mirrorSource(board),
    url: `${path}/threads`,
    show: (row, options) => topic(row, mirroredView(board, options)),
  });
}

function topic(row: TopicRow, view: MirroredView): MirroredTopics['data'][0] {
  const item = mirroredItem(row as TopicRow & MirroredRow, view);
  if ('removed' in item) return item;
  return {
    ...item,
    reply_count: row.reply_count,
    last_reply_id: row.last_reply_id,
    last_activity_at: publicTime(row.activity_at),
    visibility: visibilityState(row.visibility),
  };
}
