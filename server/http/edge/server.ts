import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import type { Express, RequestHandler } from 'express';
import { BoardError } from '../../errors.js';
import { DATA_HEADERS } from '../headers.js';
import {
  connectionState,
  hasTooManyHeaders,
  MAX_HEADERS,
  requestState,
  timesSent,
} from '../request-state.js';
import { endAnswer } from '../send.js';
import {
  answerClientError,
  type ClientError,
  headersTooLarge,
  MAX_HEADER_BYTES,
  notHttp,
} from './client-error.js';
import { refuseTunnels, serializePipelined } from './connections.js';
import { DEFAULT_TIMES, type ServerOptions } from './timeouts.js';

const MAX_CONNECTIONS = 25_000;

const VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);
const UNMET = 'The only expectation understood is 100-continue.';
const ONE_HOST = 'Send exactly one Host header.';

function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  error: BoardError,
): void {
  const bytes = Buffer.from(JSON.stringify(error.body()), 'utf8');
  for (const [name, value] of Object.entries(DATA_HEADERS)) {
    res.setHeader(name, value);
  }
  res.statusCode = error.status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', bytes.length);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Connection', 'close');
  endAnswer(req, res, bytes);
}

/** Node checks Host too, but without a body (spec/board.md §1.5). */
function hasOneHost(req: IncomingMessage): boolean {
  const hosts = timesSent(req, 'host');
  return hosts === 1 || (hosts === 0 && req.httpVersion === '1.0');
}

/** Whatever it asks for. */
function faultOf(req: IncomingMessage): BoardError | null {
  // Node's parser reads missing and other versions as 1.1.
  if (!VERSIONS.has(req.httpVersion)) return notHttp();
  if (hasTooManyHeaders(req)) return headersTooLarge();
  if (requestState(req).expectsMore) {
    return new BoardError('invalid_input', UNMET);
  }
  return hasOneHost(req) ? null : new BoardError('invalid_input', ONE_HOST);
}

/** Only path and query of an absolute address count (RFC 9112, 3.2.2). */
function originForm(url: string): string {
  const [scheme] = /^https?:\/\/[^/?#]*/i.exec(url) ?? [];
  if (scheme === undefined) return url;
  const rest = url.slice(scheme.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

/** Invalid UTF-8 names nothing (spec/board.md §1.4). */
export function readablePath(): RequestHandler {
  return (req, _res, next) => {
    const [path = '', ...query] = req.url.split('?');
    if (path.includes('%') && !isDecodable(path)) {
      const segments = path
        .split('/')
        .map((segment) => (isDecodable(segment) ? segment : '%EF%BF%BD'));
      req.url = [segments.join('/'), ...query].join('?');
    }
    next();
  };
}

type WatchOptions = {
  /** In ms, for a reader to take a whole answer. */
  sendTimeout: number;
  /** Between checks, in ms. */
  interval: number;
  /** Once aborted, answers close their connections. */
  stopping?: AbortSignal;
};

/**
 * Cuts connections whose reader does not take a finished answer, which would
 * stay in memory: Node limits requests only. Pipelined answers share the time,
 * else each one would prolong it. Streams have `writeAtPace`. Once the node
 * stops, answers close their connections: a busy client would keep it alive.
 * @returns takes each answer
 */
function watchAnswers(
  server: Server,
  { sendTimeout, interval, stopping }: WatchOptions,
): (res: ServerResponse) => void {
  /** When it was ready; shared with those before it on the connection. */
  const open = new Map<ServerResponse, number>();
  const timer = setInterval(() => {
    const late = performance.now() - sendTimeout;
    for (const [res, since] of open) {
      if (since > late) continue;
      open.delete(res);
      // A plain end leaves the rest in system buffers for minutes.
      res.socket?.resetAndDestroy();
    }
  }, interval).unref();
  const endConnections = () => {
    for (const res of open.keys()) res.shouldKeepAlive = false;
  };
  stopping?.addEventListener('abort', endConnections, { once: true });
  server.once('close', () => {
    clearInterval(timer);
    stopping?.removeEventListener('abort', endConnections);
  });
  // Shared: thousands of answers may be open.
  function ready(this: ServerResponse): void {
    const now = performance.now();
    const last = connectionState(this.req.socket).sending;
    // An answer after a pause has a time of its own.
    const goesOn = last !== null && now - last.until < sendTimeout;
    open.set(this, goesOn ? last.since : now);
  }
  function over(this: ServerResponse): void {
    const since = open.get(this);
    open.delete(this);
    const state = connectionState(this.req.socket);
    if (state.waiting === null) state.sending = null;
    else if (since !== undefined && since !== Number.POSITIVE_INFINITY) {
      state.sending = { since, until: performance.now() };
    }
  }
  return (res) => {
    open.set(res, Number.POSITIVE_INFINITY);
    if (stopping?.aborted) res.shouldKeepAlive = false;
    res.on('prefinish', ready).on('close', over);
  };
}

/**
 * Requests and answers that are born with Express's prototypes: it sets those of all others, and V8
 * then makes a hidden class for each, over 2 kB of a request that waits.
 */
export function classesOf(app: Express) {
  class Request extends IncomingMessage {}
  class Answer<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Answer.prototype, app.response);
  Object.assign(app, {
    request: Request.prototype,
    response: Answer.prototype,
  });
  return { IncomingMessage: Request, ServerResponse: Answer };
}

/** It does not listen. */
export function createHttpServer(
  app: RequestListener,
  options: ServerOptions = {},
): Server {
  const { sendTimeout, stopping, ...timeouts } = {
    ...DEFAULT_TIMES,
    ...options,
  };
  const accept = serializePipelined((req, res) => {
    const connection = connectionState(req.socket);
    if (connection.isRefused) return;
    connection.answer = res;
    watch(res);
    req.url = originForm(req.url ?? '/');
    const error = faultOf(req);
    if (error === null) app(req, res);
    else refuse(req, res, error);
  });
  const server = createServer(
    {
      ...timeouts,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      requireHostHeader: false, // hasOneHost: the same check, with a JSON body
    },
    accept,
  );
  const watch = watchAnswers(server, {
    sendTimeout,
    interval: timeouts.connectionsCheckingInterval,
    ...(stopping && { stopping }),
  });
  server.timeout = 0; // long polls are bounded by their handlers
  server.maxHeadersCount = MAX_HEADERS;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (error: ClientError, socket) => {
    const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    // A connection that is not read is late by our doing.
    const isUnread = connectionState(socket).isUnread;
    if (!late || !isUnread) answerClientError(error, socket);
  });
  refuseTunnels(server);
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    requestState(req).awaitsContinue = true;
    accept(req, res);
  });
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    requestState(req).expectsMore = true;
    accept(req, res);
  });
  return server;
}
