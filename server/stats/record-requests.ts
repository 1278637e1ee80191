import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type {
  ErrorRequestHandler,
  Request,
  RequestHandler,
  Response,
} from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { isMonitor } from '../http/is-monitoring.js';
import { requestNetwork } from '../http/request-network.js';
import { AGENT_WORDS } from '../limits.js';
import {
  isRatingPreview,
  type OperationNames,
  publishedTicket,
} from './operation-name.js';
import type { Recorder } from './recorder.js';

const codes = new WeakMap<Response, string>();
/** What answers without a thrown error, and errors of Express itself. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid_input',
  404: 'not_found',
  503: 'unavailable',
};
/** Files of a page are no read of their own. */
const PART_OF_PAGE = /^(?:text\/css|image\/|font\/)/;

/**
 * Counts every request that passes, once its answer is over: sessions,
 * operations and errors (spec/board.md §2.17 and §2.18). It takes nothing from
 * the request but marks in memory.
 */
export function recordRequests(
  ctx: Pick<Context, 'trustedProxies'>,
  recorder: Recorder,
  names: OperationNames,
): RequestHandler {
  return (req, res, next) => {
    const network = requestNetwork(req, ctx.trustedProxies);
    // `close`, not `finish`: an answer cut short is an answer too.
    res.once('close', () => record(recorder, names, req, res, network));
    next();
  };
}

/** Remembers which error a request ended with; stands before its handler. */
export function noteErrors(): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (error instanceof BoardError) codes.set(res, error.code);
    next(error);
  };
}

/** What {@link recordRequests} counts of data that was read with success. */
export function recordRead(
  recorder: Recorder,
  { method, headers }: IncomingMessage,
  network: Uint8Array,
): void {
  if (isMonitor(headers)) recorder.session(network, MONITOR);
  else if (method === 'GET') {
    recorder.session(network, READER | (isAgentLike(headers) ? AGENT : 0));
  }
}

function record(
  recorder: Recorder,
  names: OperationNames,
  req: Request,
  res: Response,
  network: Uint8Array,
): void {
  if (isMonitor(req.headers)) {
    recorder.session(network, MONITOR);
    return;
  }
  const operation = names.of(req);
  const { statusCode: status } = res;
  if (status >= 400) {
    const code = codes.get(res) ?? BY_STATUS[status] ?? 'internal_error';
    recorder.error(operation, code);
    recorder.session(network, AFFECTED);
    return;
  }
  const agent = isAgentLike(req.headers) ? AGENT : 0;
  if (req.method === 'GET' && !isPartOfPage(res)) {
    recorder.session(network, READER | agent);
  }
  if (req.method !== 'POST') return;
  if (status === 201 && names.acceptsWrites(operation)) {
    recorder.session(network, WRITER | agent);
  }
  recorder.operation(operation);
  if (isRatingPreview(operation, req.body)) {
    recorder.operation('reply_rating_preview');
  }
  const ticket = publishedTicket(operation, req.body);
  if (ticket !== null) recorder.published(ticket);
}

function isPartOfPage(res: Response): boolean {
  return PART_OF_PAGE.test(String(res.getHeader('Content-Type') ?? ''));
}

/** What a network did on a UTC day, as bits of `session_day.flags`. */
const READER = 1;
const AGENT = 2;
const WRITER = 4;
/** Diagnostic traffic came from it too, so it is no agent session. */
const MONITOR = 8;
/** A request of it failed. */
const AFFECTED = 16;

/**
 * Whether a client calls itself an agent: telemetry only (spec/board.md §2.17).
 */
function isAgentLike(headers: IncomingHttpHeaders): boolean {
  if (headers['x-agent-name'] !== undefined) return true;
  const client = String(headers['user-agent'] ?? '').toLowerCase();
  return AGENT_WORDS.some((word) => client.includes(word));
}
