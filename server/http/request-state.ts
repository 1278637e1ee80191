import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request } from 'express';
import type { Spent } from '../db/budgets.js';
import type { TrustedProxies } from './network.js';
import type { Budget } from './rate-limits/policies.js';

/**
 * One object per request, also before Express. Features add fields by
 * declaration merging:
 * @example declare module './request-state.js' {
 * interface RequestState { signedIn?: SignedIn | null } }
 */
export interface RequestState {
  /** Waits for `100 Continue`. */
  awaitsContinue: boolean;
  /** Any other expectation, which is not supported. */
  expectsMore: boolean;
  /** Of operators: closed to other sites. */
  isPrivate: boolean;
  /** Set by `setHeaders`. */
  headerKind: 'json' | 'text' | 'html' | null;
  /** Used limits, where the write's statement counted them. */
  spent: readonly Spent[] | null;
  /** Of the next step, for the headers. */
  budgets: readonly Budget[];
  errorCode: string | null;
  /** Its refusal counts, unless a limit counts it already. */
  isWatched: boolean;
  isCharged: boolean;
  /** Charges an answer of so many bytes; nothing for HEAD or 304. */
  charge: ((bytes: number, isSent: boolean) => void) | null;
  /** At least so many reads (spec/board.md §2.21). */
  cost: number;
  /** Lets the network's next read begin. */
  leaveTurn: () => void;
  /** Of an MCP tool: the call that reads an address; else null. */
  callOf: ((url: string) => string | null) | null;
  /** Null: none that may be revalidated. */
  answer: WholeAnswer | null;
}

/** A 200, also where HEAD or 304 sends less. */
export type WholeAnswer = {
  bytes: Uint8Array;
  type: string;
  etag: string;
  cost: number;
  /** When it changes by itself, in ms; undefined: never. */
  until: number | undefined;
  thread: number | null;
};

const STATE = Symbol('state');

/** Where none was entered, or it was left: thousands that wait share it. */
export const NO_TURN = (): void => {};

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
    leaveTurn: NO_TURN,
    callOf: null,
    answer: null,
  };
  return req[STATE];
}

export type ConnectionState = {
  /** The newest one begun. */
  answer: ServerResponse | null;
  /** It gets no more answers. */
  isRefused: boolean;
  /** Behind earlier answers; null: none. */
  waiting: Waiting[] | null;
  /** Too many wait: nothing more is read. */
  isUnread: boolean;
  /** Null: not counted; undefined: not known yet. */
  counted: OpenSockets | null | undefined;
  /** When its reader took an answer that others follow. */
  sending: { since: number; until: number } | null;
  /** Of its last request, with what it was made from. */
  network: {
    bytes: Uint8Array;
    trusted: TrustedProxies;
    forwarded: IncomingMessage['headers'][string];
  } | null;
};

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

/** Node silently drops more. */
export const MAX_HEADERS = 1_000;

/** X-Forwarded-For may have been dropped, for one. */
export function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length >= 2 * MAX_HEADERS;
}

/** Node's `headers` keep only the first of some. */
export function timesSent(req: IncomingMessage, name: string): number {
  return req.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === name,
  ).length;
}

/** Counts in no visit or operation counter (spec/board.md §0.4). */
export function isMonitor({ headers }: Pick<IncomingMessage, 'headers'>) {
  return headers['x-board-source'] === 'board-monitor';
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
/** Express forgets the mount when a request fails. */
const MOUNT = /^\/(?:write|log|mirror|admin|api\/mesh)(?=\/|$)/;

/** Such as `GET /api/thread/:id`: a bounded set. Ask after the answer. */
export function routePattern(req: Request): { method: string; route: string } {
  const method = METHODS.has(req.method) ? req.method : 'OTHER';
  const pattern: unknown = req.route?.path;
  if (typeof pattern !== 'string') return { method, route: 'unmatched' };
  const [path = ''] = req.originalUrl.split('?');
  const mount = MOUNT.exec(path)?.[0] ?? '';
  const whole = pattern.startsWith(`${mount}/`) || pattern === mount;
  return { method, route: whole ? pattern : `${mount}${pattern}` };
}
