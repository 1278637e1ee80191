import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import type { Sql } from '../db/sql.js';
import { trust } from '../envelope.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { pathInteger, readQuery } from '../http/query.js';
import type { SingleMessage } from '../threads/answers.js';
import { type MessageRow, messageColumns } from '../threads/message-columns.js';
import { shownMessage } from '../threads/message-view.js';
import { viewOptions } from '../threads/view-options.js';
import { moderationUrl } from '../urls.js';

async function findMessage(
  sql: Sql,
  id: number,
  preview: number,
  referencesMax: number,
): Promise<MessageRow | undefined> {
  const columns = messageColumns('m', ['$2::int'], referencesMax);
  const [row] = await sql.query<MessageRow>(
    `SELECT ${columns} FROM message m WHERE m.id = $1`,
    [id, preview],
  );
  return row;
}

/** GET /api/messages/{id}: one message, never cached (spec/board.md §2.9). */
export function readMessage(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const options = viewOptions(ctx, readQuery(req));
    const id = pathInteger(req.params.id);
    if (id === null) throw unknown();
    const { preview, referencesMax } = options;
    const row = await findMessage(ctx.lookups, id, preview, referencesMax);
    if (row === undefined) throw unknown();
    if (row.body === null) throw removed(baseUrl, id);
    const message = shownMessage(row, row.body, options);
    const answer: SingleMessage = { ...message, ...trust(baseUrl) };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}

function unknown(): BoardError {
  return new BoardError(
    'message_not_found',
    'No message of this board has this ID; IDs are those of its reads and receipts.',
  );
}

function removed(baseUrl: string, id: number): BoardError {
  return new BoardError(
    'message_not_found',
    `Message ${id} was removed; moderation_url tells by which decision.`,
    { moderation_url: moderationUrl(baseUrl, id) },
  );
}
