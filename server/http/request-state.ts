import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request } from 'express';
import type { Spent } from '../db/budgets.js';
import type { TrustedProxies } from './network.js';
import type { Budget, Left } from './rate-limits/policies.js';

/**
 * What a request carries from one file to the next: one object for each, from
 * its arrival to the end of its answer. It is there before Express is entered
 * and inside. A feature adds fields of its own by declaration merging:
 *
 * @example
 * declare module './request-state.js' {
 *   interface RequestState { signedIn?: SignedIn | null }
 * }
 */
export interface RequestState {
  /** The client waits for `100 Continue` before it sends its body. */
  awaitsContinue: boolean;
  /** It expects something else, which this server does not do. */
  expectsMore: boolean;
  /** It belongs to operators: no other site may read its answer. */
  isPrivate: boolean;
  /** The kind of headers that its answer has. */
  headerKind: 'json' | 'text' | 'html' | null;
  /** How much of its network's limits is used, where its write counted that. */
  spent: readonly Spent[] | null;
  /** Limits that the next step will meet, for the headers of this one. */
  budgets: readonly Budget[];
  errorCode: string | null;
  /** Whether its refusal would be counted, unless a limit counts it already. */
  isWatched: boolean;
  isCharged: boolean;
  /**
   * Counts an answer of so many bytes as more reads than one, unless it was
   * made for HEAD or a 304.
   */
  charge: ((bytes: number, isSent: boolean) => void) | null;
  /** Reads that its answer costs at least (spec/board.md §2.21). */
  cost: number;
  /** Lets the next read of its network begin, where they take turns. */
  leaveTurn: () => void;
  /** A read that was counted before Express was entered. */
  earlyRead: EarlyRead | null;
  /** What ended a long poll that had begun before Express was entered. */
  failure: unknown;
  /** Takes the finished answer of 200 into the response cache. */
  cacheAnswer: ((answer: FinishedAnswer) => void) | null;
}

export type EarlyRead = { network: Uint8Array; left: Left };

/** A whole answer of 200 that may be revalidated. */
export type FinishedAnswer = {
  bytes: Uint8Array;
  type: string;
  etag: string;
  cost: number;
  /** When it changes by itself, ms; never when undefined. */
  until: number | undefined;
};

const STATE = Symbol('state');

export function requestState(
  req: IncomingMessage & { [STATE]?: RequestState },
): RequestState {
  req[STATE] ??= {
    awaitsContinue: false,
    expectsMore: false,
    isPrivate: false,
    headerKind: null,
    spent: null,
    budgets: [],
    errorCode: null,
    isWatched: false,
    isCharged: false,
    charge: null,
    cost: 1,
    leaveTurn: () => {},
    earlyRead: null,
    failure: undefined,
    cacheAnswer: null,
  };
  return req[STATE];
}

/** What a connection carries from one request to the next. */
export type ConnectionState = {
  /** The newest answer that was begun. */
  answer: ServerResponse | null;
  /** It has its last answer, whatever still comes from it. */
  isRefused: boolean;
  /** Requests that wait for the answers before them; null when none does. */
  waiting: Waiting[] | null;
  /** So many wait that nothing more is read. */
  isUnread: boolean;
  /** Where it is counted; null where it need not be, undefined before that. */
  counted: OpenSockets | null | undefined;
  /** Since and until when its reader took an answer that others follow. */
  sending: { since: number; until: number } | null;
  /** The network of its last request, and what that was made from. */
  network: {
    bytes: Uint8Array;
    trusted: TrustedProxies;
    forwarded: IncomingMessage['headers'][string];
  } | null;
};

/** How many connections a network holds. */
export type OpenSockets = { readonly network: string; sockets: number };

export type Waiting = {
  begin: () => void;
  /** Null for an upgrade: its handler answers. */
  res: ServerResponse | null;
};

export function connectionState(
  socket: Pick<Duplex, 'writable'> & { [STATE]?: ConnectionState },
): ConnectionState {
  socket[STATE] ??= {
    answer: null,
    isRefused: false,
    waiting: null,
    isUnread: false,
    counted: undefined,
    sending: null,
    network: null,
  };
  return socket[STATE];
}

/** So many headers Node keeps of a request; it drops the others silently. */
export const MAX_HEADERS = 1_000;

/** Whether headers may have been dropped: X-Forwarded-For, for one. */
export function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length >= 2 * MAX_HEADERS;
}

/** How often a header was sent; of some, Node's `headers` keep the first. */
export function timesSent(req: IncomingMessage, name: string): number {
  return req.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === name,
  ).length;
}

/**
 * Whether a request is the board's own monitoring: it counts in no visit and
 * operation counter, and in everything else (spec/board.md §0.4).
 */
export function isMonitor({ headers }: Pick<IncomingMessage, 'headers'>) {
  return headers['x-board-source'] === 'board-monitor';
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
/** Where routers are mounted; Express forgets it when a request fails. */
const MOUNT = /^\/(?:write|log|mirror|admin|api\/mesh)(?=\/|$)/;

/**
 * Method and route of a request, such as `GET /api/thread/:id`: never its
 * address, so there are only so many. Ask when its answer is over.
 */
export function routePattern(req: Request): { method: string; route: string } {
  const method = METHODS.has(req.method) ? req.method : 'OTHER';
  const pattern: unknown = req.route?.path;
  if (typeof pattern !== 'string') return { method, route: 'unmatched' };
  const [path = ''] = req.originalUrl.split('?');
  const mount = MOUNT.exec(path)?.[0] ?? '';
  const whole = pattern.startsWith(`${mount}/`) || pattern === mount;
  return { method, route: whole ? pattern : `${mount}${pattern}` };
}
