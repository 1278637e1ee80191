import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { BoardError } from '../../errors.js';
import { endAnswer, holdBody } from '../fast/end-response.js';
import type { MessageClasses } from '../fast/express-prototypes.js';
import { DATA_HEADERS } from '../headers.js';
import {
  answerClientError,
  type ClientError,
  isTurnedAway,
  trackAnswer,
} from './client-error.js';
import {
  hasTooManyHeaders,
  headersTooLarge,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  timesSent,
} from './header-count.js';
import { letGoSlowReaders } from './send-timeout.js';
import { isUnread, oneByOne } from './serialize-pipelined-requests.js';
import { refuseTunnels } from './websocket-upgrade.js';

/** Reliability §6; milliseconds. Tests shorten them. */
export type ServerOptions = {
  requestTimeout?: number;
  headersTimeout?: number;
  connectionsCheckingInterval?: number;
  /** 5 s towards clients; 65 s behind a proxy that itself waits 60 s. */
  keepAliveTimeout?: number;
  /** How long a whole answer may wait for its reader. */
  sendTimeout?: number;
  /** Node's own when left out; an app's save it much (`messageClasses`). */
  classes?: MessageClasses;
};

const DEFAULTS = {
  requestTimeout: 9_000,
  headersTimeout: 5_000,
  // None is held 12 s (fault plan, D2), nor while the node is busy as well.
  connectionsCheckingInterval: 250,
  keepAliveTimeout: 5_000,
  sendTimeout: 8_000,
};
export const KEEP_ALIVE_BEHIND_PROXY_MS = 65_000;

const MAX_CONNECTIONS = 25_000;

/** Requests that expect what this server does not do. */
const isUnmet = new WeakSet<IncomingMessage>();
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

/** Node checks Host too, but its answer has no body (spec/board.md §1.5). */
function hasOneHost(req: IncomingMessage): boolean {
  const hosts = timesSent(req, 'host');
  return hosts === 1 || (hosts === 0 && req.httpVersion === '1.0');
}

/** What is wrong with the head of a request, whatever it asks for. */
function faultOf(req: IncomingMessage): BoardError | null {
  if (hasTooManyHeaders(req)) return headersTooLarge();
  if (isUnmet.has(req)) return new BoardError('invalid_input', UNMET);
  return hasOneHost(req) ? null : new BoardError('invalid_input', ONE_HOST);
}

/**
 * A request may name the whole address, and the host in it counts for no more
 * than a Host header (RFC 9112, 3.2.2): only path and query go on.
 */
function originForm(url: string): string {
  const [scheme] = /^https?:\/\/[^/?#]*/i.exec(url) ?? [];
  if (scheme === undefined) return url;
  const rest = url.slice(scheme.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** A hardened node:http server around an Express app; it does not listen. */
export function createHttpServer(
  app: RequestListener,
  options: ServerOptions = {},
): Server {
  const { sendTimeout, classes, ...timeouts } = { ...DEFAULTS, ...options };
  const accept = oneByOne((req, res) => {
    if (isTurnedAway(req.socket)) return;
    trackAnswer(req.socket, res);
    sending(res);
    req.url = originForm(req.url ?? '/');
    const error = faultOf(req);
    if (error === null) app(req, res);
    else refuse(req, res, error);
  });
  const server = createServer(
    {
      ...timeouts,
      ...classes,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      requireHostHeader: false, // hasOneHost: the same check, with a JSON body
    },
    accept,
  );
  const sending = letGoSlowReaders(server, {
    sendTimeout,
    interval: timeouts.connectionsCheckingInterval,
  });
  server.timeout = 0; // long polls are bounded by their handlers
  server.maxHeadersCount = MAX_HEADERS;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (error: ClientError, socket) => {
    const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (!late || !isUnread(socket)) answerClientError(error, socket);
  });
  refuseTunnels(server);
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    holdBody(req);
    accept(req, res);
  });
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    isUnmet.add(req);
    accept(req, res);
  });
  return server;
}
