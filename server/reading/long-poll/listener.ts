import type { IncomingMessage, RequestListener } from 'node:http';
import { z } from 'zod';
import type { Context } from '../../context.js';
import type { EarlyReads } from '../../http/fast/early-reads.js';
import { PUBLIC_DATA_HEADERS } from '../../http/headers.js';
import { updatesQuery } from '../../http/openapi/parameters.js';
import { parseQuery } from '../../http/query.js';
import type { Left } from '../../http/rate-limits/policies.js';
import { policyItem, readsLeft } from '../../http/rate-limits/read-limiter.js';
import { requestState } from '../../http/request-state.js';
import { costOf, JSON_TYPE } from '../../http/send.js';
import { type UpdatesOptions, updatesOptions } from '../updates-answer.js';
import { wantsStream } from '../updates-stream.js';
import type { UpdatesWaits } from './updates-waits.js';
import type { Responder, Waiter } from './waiters.js';

const PATH = '/api/updates';

type Held = Waiter & { readonly left: Left };

/**
 * Answers plain long polls before Express, whose objects weigh more than all
 * else of a waiting reader. Others and errors go to the app; headers are the
 * same.
 */
export function heldUpdates(
  app: RequestListener,
  ctx: Context,
  waits: UpdatesWaits,
  early: EarlyReads,
): { path: string; take: RequestListener } {
  const responder = responderOf(app, ctx, early);
  const query = z.object(updatesQuery(ctx.limits));
  const take: RequestListener = (req, res) => {
    const options = early.isPlain(req) ? plainWait(ctx, req, query) : null;
    const read = options && early.take(req, res, PATH);
    if (options === null || read === null) {
      app(req, res);
      return;
    }
    const { since, wait } = options;
    const until = performance.now() + wait * 1000;
    const held: Held = { ...read, res, since, until, held: false, responder };
    waits.ask(options, held);
  };
  return { path: `${PATH}?`, take };
}

function plainWait(
  ctx: Context,
  req: IncomingMessage,
  query: z.ZodObject<ReturnType<typeof updatesQuery>>,
): UpdatesOptions | null {
  const { method, url = '', headers } = req;
  if (method !== 'GET' || wantsStream(req) || 'expect' in headers) return null;
  try {
    const options = updatesOptions(ctx, parseQuery(query, url));
    return options.wait === 0 ? null : options;
  } catch {
    return null; // the app finds the same and answers it
  }
}

function responderOf(
  app: RequestListener,
  ctx: Context,
  early: EarlyReads,
): Responder {
  const headers = [
    ...PUBLIC_DATA_HEADERS,
    'RateLimit-Policy',
    policyItem('reads_per_network_minute', ctx.limits),
  ];
  const answer = (held: Held, json: Buffer) => {
    const { res } = held;
    const more = costOf(json.length, requestState(res.req).cost) - 1;
    const left = more > 0 ? early.takeMore(held, more) : held.left;
    res.writeHead(200, [
      ...headers,
      'RateLimit',
      readsLeft(left),
      'Cache-Control',
      'no-store',
      'Content-Type',
      JSON_TYPE,
      'Content-Length',
      String(json.length),
    ]);
    // Head and body in one write: `end` takes as long again, so it comes when
    // all are answered.
    const { socket } = res;
    socket?.cork();
    res.write(json);
    socket?.uncork();
  };
  const fail = ({ res, network }: Held, error: unknown) => {
    early.undo(res, network);
    requestState(res.req).failure = error;
    app(res.req, res);
  };
  return { answer, finish: ({ res }) => void res.end(), fail };
}
