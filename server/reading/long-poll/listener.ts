import type { IncomingMessage, RequestListener } from 'node:http';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { JSON_TYPE } from '../../http/conditional.js';
import type { EarlyReads } from '../../http/fast/early-reads.js';
import { PUBLIC_DATA_HEADERS } from '../../http/headers.js';
import {
  type UpdatesQuery,
  updatesQuery,
} from '../../http/openapi/read-queries.js';
import { parseQuery } from '../../http/query-fields.js';
import { policyItem, readsLeft } from '../../http/rate-limits/headers.js';
import type { Left } from '../../http/rate-limits/read-limiter.js';
import { type UpdatesOptions, updatesOptions } from '../updates-options.js';
import { wantsStream } from '../updates-stream.js';
import type { UpdatesWaits } from './updates-waits.js';
import type { Teller, Waiter } from './waiters.js';

const PATH = '/api/updates';

type Held = Waiter & { readonly left: Left };

const failures = new WeakMap<IncomingMessage, unknown>();

/** What ended a wait that had begun before the app was entered. */
export function failureOf(req: IncomingMessage): unknown {
  return failures.get(req);
}

/**
 * Holds long polls of updates before the app is entered, whose own objects
 * would outweigh all else that a waiting reader holds. What is not a plain one
 * is left to it, and whatever ends in an error; headers are those of the app.
 */
export function heldUpdates(
  app: RequestListener,
  ctx: Context,
  waits: UpdatesWaits,
  early: EarlyReads,
): RequestListener {
  const teller = tellerOf(app, ctx, early);
  const query = z.object(updatesQuery(ctx.limits));
  return (req, res) => {
    const options = early.isPlain(req) ? plainWait(ctx, req, query) : null;
    const read = options && early.take(req, res, PATH);
    if (options === null || read === null) {
      app(req, res);
      return;
    }
    const { since, wait } = options;
    const until = performance.now() + wait * 1000;
    const held: Held = { ...read, res, since, until, held: false, teller };
    waits.ask(options, held);
  };
}

function plainWait(
  ctx: Context,
  req: IncomingMessage,
  query: z.ZodType<UpdatesQuery>,
): UpdatesOptions | null {
  const { method, url = '', headers } = req;
  if (method !== 'GET' || !url.startsWith(`${PATH}?`)) return null;
  if (wantsStream(req) || 'expect' in headers) return null;
  try {
    const options = updatesOptions(ctx, parseQuery(query, url));
    return options.wait === 0 ? null : options;
  } catch {
    return null; // the app finds the same and tells it
  }
}

function tellerOf(
  app: RequestListener,
  ctx: Context,
  early: EarlyReads,
): Teller {
  const headers = [
    ...PUBLIC_DATA_HEADERS,
    'RateLimit-Policy',
    policyItem('reads_per_network_minute', ctx.limits),
  ];
  const answer = ({ res, left }: Held, json: Buffer) => {
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
    // Head and body leave at once. What Node does at the end of an answer takes
    // as long again, and comes when all have theirs.
    const { socket } = res;
    socket?.cork();
    res.write(json);
    socket?.uncork();
  };
  const fail = ({ res, network }: Held, error: unknown) => {
    early.undo(res, network);
    failures.set(res.req, error);
    app(res.req, res);
  };
  return { answer, finish: ({ res }) => void res.end(), fail };
}
