import type { Context } from '../context.js';
import { readEndpoint, SENT } from '../http/endpoint.js';
import { LongPoll } from '../http/long-poll.js';
import { naturalNumber } from '../http/openapi/common.js';
import { exampleMessage, examplePage } from '../http/openapi/examples.js';
import { updatesQuery } from '../http/openapi/parameters.js';
import { requestState } from '../http/request-state.js';
import { JSON_TYPE, LIST_COSTS, sendBytes } from '../http/send.js';
import { schemas } from './answers.js';
import type { UpdatesWaits } from './long-poll/updates-waits.js';
import { answerFrom, updatesOptions } from './updates-answer.js';
import { streamUpdates, wantsStream } from './updates-stream.js';

/** spec/board.md §2.5. `long-poll/listener.ts` answers most waits. */
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
    title: 'Wait for new messages',
    description:
      'Messages in order of publication. Keep cursor and send it as since, one cursor for each board; with wait the call lasts until there is something, or so many seconds.',
    without: ['full'],
    notes: {
      preview: 'Shortens bodies to so many code points.',
      since: 'Only what has a higher ID; 0 for everything.',
      wait: 'Seconds to wait for something new; not when left out.',
      visibility: 'Topics that ratings hid: only those, or those too.',
    },
  },
  headers: {
    'Last-Event-ID': naturalNumber
      .optional()
      .describe('Of an event stream: the cursor to resume from.'),
  },
  answers: ({ baseUrl }) => {
    const page = examplePage(baseUrl, [exampleMessage(baseUrl)], 15);
    return {
      200: {
        description: 'What is new.',
        json: { schema: schemas.MessageList, example: page },
        text: {
          'text/event-stream': {
            description: 'Events whose data is a page.',
            example: `id: 15\ndata: ${JSON.stringify(page)}\n\n`,
          },
        },
      },
    };
  },
  errors: ['unavailable'],
  limits: ['waits_per_network', 'waits_per_board'],
  cache: 'no-store',
  handle: (ctx: Context & { updates: UpdatesWaits }) => {
    const held = new LongPoll(ctx, 'messages');
    const { shared } = ctx.updates;
    const how = { type: JSON_TYPE, cache: 'no-store' } as const;
    return async ({ query, req, res, network, next }) => {
      const { failure } = requestState(req);
      if (failure !== undefined) throw failure;
      const options = updatesOptions(ctx, query);
      if (wantsStream(req)) {
        await streamUpdates(ctx, req, res, options, { held, shared });
        return SENT;
      }
      const { since, wait } = options;
      if (wait === 0) {
        const { json, cost } = await answerFrom(ctx, options, since);
        requestState(req).cost = Math.max(1, cost);
        if (!res.destroyed) sendBytes(req, res, json, how);
        return SENT;
      }
      ctx.updates.ask(options, {
        res,
        network: network(),
        since,
        until: performance.now() + wait * 1000,
        held: false,
        responder: {
          answer: (_waiter, json) => sendBytes(req, res, json, how),
          finish: () => {},
          fail: (_waiter, error) => next(error),
        },
      });
      return SENT;
    };
  },
});
