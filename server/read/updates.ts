import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { JSON_TYPE, sendBytes } from '../http/conditional.js';
import { readQuery } from '../http/query.js';
import { requestNetwork } from '../http/request-network.js';
import { updatesOptions } from '../threads/updates-options.js';
import { HeldRequests } from './held-requests.js';
import { failureOf } from './held-updates.js';
import { answerFrom } from './updates-answer.js';
import { streamUpdates, wantsStream } from './updates-stream.js';
import type { UpdatesWaits } from './updates-waits.js';

/**
 * GET /api/updates: new messages, waited for if asked (spec/board.md §2.5).
 * Most who wait do not come as far as here (`held-updates`).
 */
export function updates(ctx: Context, waits: UpdatesWaits): RequestHandler {
  const held = new HeldRequests(ctx.events, ctx.stopping);
  const { shared } = waits;
  const how = { type: JSON_TYPE, cache: 'no-store' } as const;
  return async (req, res, next) => {
    const failure = failureOf(req);
    if (failure !== undefined) throw failure;
    const options = updatesOptions(ctx, readQuery(req));
    if (wantsStream(req)) {
      await streamUpdates(ctx, req, res, options, { held, shared });
      return;
    }
    const { since, wait } = options;
    if (wait === 0) {
      const { json } = await answerFrom(ctx, options, since);
      if (!res.destroyed) sendBytes(req, res, json, how);
      return;
    }
    waits.ask(options, {
      res,
      network: requestNetwork(req, ctx.trustedProxies),
      since,
      until: performance.now() + wait * 1000,
      held: false,
      teller: {
        answer: (_waiter, json) => sendBytes(req, res, json, how),
        finish: () => {},
        fail: (_waiter, error) => next(error),
      },
    });
  };
}
