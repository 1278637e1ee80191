import type { RequestHandler } from 'express';
import type { Context } from '../../server/context.js';
import type { Sql } from '../../server/db/sql.js';
import { trust } from '../../server/envelope.js';
import { BoardError } from '../../server/errors.js';
import { sendJson } from '../../server/http/conditional.js';
import { pathInteger, readQuery } from '../../server/http/query.js';
import type { MirroredSingle } from '../../server/openapi/mirrored.js';
import { messageColumns } from '../../server/threads/message-columns.js';
import { viewOptions } from '../../server/threads/view-options.js';
import { hiddenHere } from './hidden.js';
import {
  type MirroredRow,
  mirroredColumns,
  mirrorSource,
} from './mirror-source.js';
import { type MirroredBoard, mirroredBoard } from './mirrored-board.js';
import { mirroredMessage, mirroredView, stubOf } from './mirrored-view.js';

/**
 * GET /api/mesh/boards/{name}/messages/{id}: one mirrored message, never
 * cached (spec/mesh.md §B9). 404 `unknown_board`, `message_not_found` (with the
 * origin's `moderation_url` once it is removed there); 451
 * `hidden_by_operator`.
 */
export function message(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const board = await mirroredBoard(ctx, req.params.name);
    const options = viewOptions(ctx, readQuery(req));
    const id = pathInteger(req.params.id);
    if (id === null) throw unknownMessage();
    const { preview, referencesMax } = options;
    const row = await find(ctx.lookups, board, id, preview, referencesMax);
    if (row === undefined) throw unknownMessage();
    if (row.hidden) throw hiddenHere();
    const view = mirroredView(board, options);
    if (row.status === 'removed') {
      throw removed(id, view.addresses.moderation(id));
    }
    const item =
      row.body === null
        ? stubOf(row, view)
        : mirroredMessage(row, row.body, view);
    const answer: MirroredSingle = { ...item, ...trust(baseUrl) };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}

async function find(
  sql: Sql,
  board: MirroredBoard,
  id: number,
  preview: number,
  referencesMax: number,
): Promise<MirroredRow | undefined> {
  const source = mirrorSource(board);
  const [row] = await sql.query<MirroredRow>(
    `WITH ${source.tables(3)} asked AS (SELECT $1::bigint AS id)
     SELECT ${messageColumns('m', ['$2::int'], referencesMax)}
       ${mirroredColumns('m')}
     FROM asked JOIN message m ON m.id = asked.id`,
    [id, preview, ...source.values],
  );
  return row;
}

export function unknownMessage(): BoardError {
  return new BoardError(
    'message_not_found',
    'This node mirrors no message with this ID of that board.',
  );
}

function removed(id: number, moderationUrl: string): BoardError {
  return new BoardError(
    'message_not_found',
    `Its own board removed message ${id}; moderation_url tells by which decision.`,
    { moderation_url: moderationUrl },
  );
}
