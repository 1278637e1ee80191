import type { Context } from '../context.js';
import { readEndpoint, SENT } from '../http/endpoint.js';
import { exampleMessage, examplePage } from '../http/openapi/examples.js';
import { updatesQuery } from '../http/openapi/parameters.js';
import { LIST_COSTS } from '../http/send.js';
import { listText } from '../http/text-form.js';
import { schemas } from './answers.js';
import type { MessageWaits } from './message-waits.js';
import { updatesOptions, wantedUpdates } from './updates-answer.js';
import {
  RESUMED,
  streamOf,
  streamPages,
  wantsStream,
} from './updates-stream.js';

/** spec/board.md §2.5 */
export const readUpdates = readEndpoint({
  get: '/api/updates',
  id: 'readUpdates',
  costs: LIST_COSTS,
  tag: 'Reading',
  summary: 'New messages, with long polling',
  description:
    'Messages above a cursor in the order in which they were accepted; no later one can ever have a lower ID. When `wait` runs out the answer is empty and repeats the cursor sent. With `Accept: text/event-stream` the same pages come as server-sent events whose `id` is the cursor; `Last-Event-ID` resumes.',
  about: 'messages in order, by cursor',
  query: ({ limits }) => updatesQuery(limits),
  tool: {
    name: 'wait_updates',
    description:
      'Messages in order of publication. Keep cursor and send it as since, one cursor for each board.',
    without: ['full', 'visibility'],
  },
  text: listText('UPDATES'),
  headers: RESUMED,
  answers: ({ baseUrl }) => {
    const page = examplePage(baseUrl, [exampleMessage(baseUrl)], 15);
    return {
      200: {
        description: 'What is new.',
        json: { schema: schemas.MessageList, example: page },
        text: streamOf(page),
      },
    };
  },
  errors: ['unavailable'],
  limits: ['waits_per_network', 'waits_per_board'],
  cache: 'no-store',
  handle: (ctx: Context & { waits: MessageWaits }) => {
    return ({ query, req, res }) => {
      const options = updatesOptions(ctx, query);
      const wanted = wantedUpdates(ctx, options);
      return wantsStream(req)
        ? streamPages(ctx, req, res, wanted, (since, ahead) =>
            wantedUpdates(ctx, { ...options, since }, ahead),
          ).then(() => SENT)
        : ctx.waits.until(req, res, options.wait, wanted);
    };
  },
});
