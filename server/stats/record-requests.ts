import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type {
  ErrorRequestHandler,
  Request,
  RequestHandler,
  Response,
} from 'express';
import { type Clock, DAY_MS, utcDay, utcDayStart } from '../clock.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import type { Endpoint } from '../http/endpoint.js';
import { NetworkNames, requestNetwork } from '../http/network.js';
import {
  isMonitor,
  requestState,
  routePattern,
} from '../http/request-state.js';
import { AGENT_WORDS } from '../limits.js';
import { ticketHash } from '../tickets/index.js';
import type { Recorder } from './recorder.js';

/** `accepts`: a 201 makes its network a writer. */
type Operation = { name: string; accepts: boolean };

type Counted = Pick<Endpoint, 'method' | 'path' | 'counter' | 'accepts'>;

/** `counter` or route, never an address: a bounded set (§2.17). */
function operationsOf(endpoints: readonly Counted[]) {
  const counted = new Map<string, Operation>(
    endpoints.map(({ method, path, counter, accepts }) => {
      const name = `${method.toUpperCase()} ${path}`;
      return [name, { name: counter ?? name, accepts }];
    }),
  );
  return (req: Request): Operation => {
    const { method, route } = routePattern(req);
    const name = `${method} ${route}`;
    return counted.get(name) ?? { name, accepts: false };
  };
}

function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  return Reflect.get(body, name);
}

/** Answers without a thrown error, and Express's own errors. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid_input',
  404: 'not_found',
  503: 'unavailable',
};
/** No reads of their own. */
const PART_OF_PAGE = /^(?:text\/css|image\/|font\/)/;

/** After each answer, in memory only (spec/board.md §2.17, §2.18). */
export function recordRequests(
  ctx: Pick<Context, 'trustedProxies'>,
  recorder: Recorder,
  visits: Visits,
  endpoints: readonly Counted[],
): RequestHandler {
  const operationOf = operationsOf(endpoints);
  return (req, res, next) => {
    const network = requestNetwork(req, ctx.trustedProxies);
    // Not `finish`: aborted answers count, too.
    res.on('close', () => {
      if (isMonitor(req)) visits.mark(network, MONITOR);
      else record({ recorder, visits }, operationOf(req), req, res, network);
    });
    next();
  };
}

/** Mounted before the error handler. */
export function noteErrors(): ErrorRequestHandler {
  return (error: unknown, req, _res, next) => {
    if (error instanceof BoardError) requestState(req).errorCode = error.code;
    next(error);
  };
}

export function recordRead(
  visits: Visits,
  req: IncomingMessage,
  network: Uint8Array,
): void {
  const { method, headers } = req;
  if (isMonitor(req)) visits.mark(network, MONITOR);
  else if (method === 'GET') {
    visits.mark(network, READER | (isAgentLike(headers) ? AGENT : 0));
  }
}

function record(
  { recorder, visits }: { recorder: Recorder; visits: Visits },
  { name: operation, accepts }: Operation,
  req: Request,
  res: Response,
  network: Uint8Array,
): void {
  const { statusCode: status } = res;
  if (status >= 400) {
    const code =
      requestState(req).errorCode ?? BY_STATUS[status] ?? 'internal_error';
    recorder.error(operation, code);
    visits.mark(network, AFFECTED);
    return;
  }
  const agent = isAgentLike(req.headers) ? AGENT : 0;
  const type = String(res.getHeader('Content-Type') ?? '');
  if (req.method === 'GET' && !PART_OF_PAGE.test(type)) {
    visits.mark(network, READER | agent);
  }
  if (req.method !== 'POST') return;
  if (status === 201 && accepts) {
    visits.mark(network, WRITER | agent);
  }
  recorder.operation(operation);
  // A reply's preview with a rating counts as an operation, too.
  const vote = operation === 'write_preview' && fieldOf(req.body, 'vote');
  if (vote === 1 || vote === -1) {
    recorder.operation('reply_rating_preview');
  }
  if (operation !== 'write_publish') return;
  const ticket = fieldOf(req.body, 'ticket');
  if (typeof ticket === 'string') recorder.published(ticketHash(ticket));
}

/** Oldest are dropped first. */
const SEEN_MAX = 100_000;

/** Under a key of this process; only news goes to the recorder. */
export class Visits {
  private seen = new Map<string, number>();
  private day = '';
  private dayStart = Number.NaN;
  private readonly names = new NetworkNames();

  constructor(
    private readonly clock: Clock,
    private readonly recorder: Recorder,
  ) {}

  mark(network: Uint8Array, flags: number): void {
    const day = this.today();
    const name = this.names.of(network);
    const known = this.seen.get(name) ?? 0;
    if ((known | flags) === known) return;
    if (!this.recorder.session(day, name, network, flags)) return;
    this.seen.set(name, known | flags);
    if (this.seen.size > SEEN_MAX) {
      const [oldest] = this.seen.keys();
      if (oldest !== undefined) this.seen.delete(oldest);
    }
  }

  private today(): string {
    const now = this.clock.now();
    const isSame = now >= this.dayStart && now < this.dayStart + DAY_MS;
    if (!isSame) {
      this.seen = new Map();
      this.day = utcDay(now);
      this.dayStart = utcDayStart(now);
    }
    return this.day;
  }
}

/** Bits of `session_day.flags`. */
const READER = 1;
const AGENT = 2;
const WRITER = 4;
/** Also sent diagnostic traffic, so it is no agent session. */
const MONITOR = 8;
const AFFECTED = 16;

/** By its own word; telemetry only (spec/board.md §2.17). */
function isAgentLike(headers: IncomingHttpHeaders): boolean {
  if (headers['x-agent-name'] !== undefined) return true;
  const client = String(headers['user-agent'] ?? '').toLowerCase();
  return AGENT_WORDS.some((word) => client.includes(word));
}
