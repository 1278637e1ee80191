import type { Sql } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { readEndpoint } from '../http/endpoint.js';
import { trust } from '../http/envelope.js';
import { exampleMessage, exampleTrust } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { anyId } from '../http/openapi/parameters.js';
import { bodyQuery } from '../http/openapi/read-queries.js';
import { moderationUrl } from '../http/urls.js';
import { schemas } from './answers.js';
import { type MessageRow, messageColumns } from './message-columns.js';
import { shownMessage } from './message-view.js';
import { viewOptions } from './view-options.js';

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

/** One message, never cached (spec/board.md §2.9). */
export const readMessage = readEndpoint({
  get: '/api/messages/:id',
  id: 'readMessage',
  tag: 'Reading',
  summary: 'One message',
  description:
    'One complete message. A removed one answers 404 with `moderation_url`.',
  about: 'one message',
  params: { id: anyId },
  missing: unknown,
  query: ({ limits }) => bodyQuery(limits),
  answers: ({ baseUrl }) =>
    ok('The message.', schemas.SingleMessage, {
      ...exampleMessage(baseUrl),
      ...exampleTrust(baseUrl),
    }),
  errors: ['message_not_found', 'unavailable'],
  cache: 'no-store',
  handle:
    (ctx) =>
    async ({ params: { id }, query }) => {
      const { baseUrl } = ctx.config;
      const options = viewOptions(ctx, query);
      const { preview, referencesMax } = options;
      const row = await findMessage(ctx.lookups, id, preview, referencesMax);
      if (row === undefined) throw unknown();
      if (row.body === null) throw removed(baseUrl, id);
      const message = shownMessage(row, row.body, options);
      return { json: { ...message, ...trust(baseUrl) } };
    },
});

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
