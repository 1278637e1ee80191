import type { RequestHandler, Response } from 'express';
import type { Context } from '../context.js';
import { JSON_TYPE, sendBytes } from '../http/conditional.js';
import { readQuery } from '../http/query.js';
import { requestNetwork } from '../http/request-network.js';
import {
  type UpdatesOptions,
  updatesOptions,
} from '../threads/updates-options.js';
import { HeldRequests } from './held-requests.js';
import { SharedReads } from './shared-reads.js';
import {
  answerFrom,
  type UpdatesAnswer,
  type Waiting,
} from './updates-answer.js';
import { streamUpdates, wantsStream } from './updates-stream.js';

/** GET /api/updates: new messages, waited for if asked (decisions 2.5). */
export function updates(ctx: Context): RequestHandler {
  const waiting = {
    held: new HeldRequests(ctx.events, ctx.stopping),
    shared: new SharedReads<UpdatesAnswer>(),
  };
  return async (req, res) => {
    const options = updatesOptions(ctx, readQuery(req));
    const network = requestNetwork(req, ctx.trustedProxies);
    const enter = () => ctx.readLimiter.enterWait(network);
    if (wantsStream(req)) {
      await streamUpdates(ctx, req, res, options, waiting, enter);
      return;
    }
    const answer =
      options.wait === 0
        ? await answerFrom(ctx, options, options.since)
        : await waitFor(ctx, res, options, waiting, enter);
    const how = { type: JSON_TYPE, cache: 'no-store' } as const;
    if (!res.destroyed) sendBytes(req, res, answer.json, how);
  };
}

/** Subscribes, looks, waits; a place is taken only by who has to wait. */
async function waitFor(
  ctx: Context,
  res: Response,
  options: UpdatesOptions,
  { held, shared }: Waiting,
  enter: () => () => void,
): Promise<UpdatesAnswer> {
  const hold = held.hold(res, options.wait * 1000);
  let leave = () => {};
  try {
    let woken = hold.subscribe().woken;
    const look = (from: number) =>
      shared.get(`${from} ${options.since} ${options.key}`, () =>
        answerFrom(ctx, options, from),
      );
    let answer = await look(options.since);
    if (answer.found) return answer;
    leave = enter();
    while (!answer.found && !hold.over) {
      await woken;
      if (hold.over) break;
      woken = hold.subscribe().woken;
      answer = await look(Math.max(options.since, answer.newest));
    }
    return answer;
  } finally {
    leave();
    hold.release();
  }
}
