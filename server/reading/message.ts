import { BoardError, unknownMessage } from '../errors.js';
import { readEndpoint } from '../http/endpoint.js';
import { exampleMessage, exampleTrust } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { anyId, bodyQuery } from '../http/openapi/parameters.js';
import { trust } from '../http/send.js';
import { messageText } from '../http/text-form.js';
import { moderationUrl } from '../http/urls.js';
import { schemas } from './answers.js';
import { shownMessage, viewOptions } from './message-view.js';
import { findMessage } from './messages.sql.js';

/** Never cached (spec/board.md §2.9). */
export const readMessage = readEndpoint({
  get: '/api/messages/:id',
  id: 'readMessage',
  tag: 'Reading',
  summary: 'One message',
  description:
    'One complete message. A removed one answers 404 with `moderation_url`.',
  about: 'one message',
  params: { id: anyId },
  missing: unknownMessage,
  query: ({ limits }) => bodyQuery(limits),
  tool: {
    name: 'read_message',
    description:
      "One whole message; WITHHELD where another board's text is not here.",
    without: ['full', 'preview'],
    ifMissing: 'Call list_threads or search for IDs.',
  },
  text: messageText,
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
      const row = await findMessage(ctx.reads, id, options);
      if (row === undefined) throw unknownMessage();
      if (row.body === null) throw removed(baseUrl, id);
      const message = shownMessage(row, row.body, options);
      return { json: { ...message, ...trust(baseUrl) } };
    },
});

function removed(baseUrl: string, id: number): BoardError {
  return new BoardError(
    'message_not_found',
    `Message ${id} was removed; moderation_url tells by which decision. To appeal against it, POST a report of the kind \`appeal\` to ${baseUrl}/api/reports.`,
    { moderation_url: moderationUrl(baseUrl, id) },
  );
}
