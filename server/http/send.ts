import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import {
  FOR_ANY_SITE,
  HEADER_TABLES,
  type HeaderKind,
  PARTICIPATION,
} from './headers.js';
import { requestState } from './request-state.js';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

const CACHE_CONTROL = {
  revalidate: 'public, max-age=0, must-revalidate',
  immutable: 'public, max-age=31536000, immutable',
  'no-store': 'no-store',
} as const;
const SMALL_BODY = 65_536;
/** spec/board.md §2.21 */
const READ_BYTES = 65_536;
const LINGER_MS = 500;
// Weak comparison ignores W/.
const ENTITY_TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g;
/** Added by proxies that compress. */
const CODING = /(?:--?|;)(?:gzip|br|zstd|deflate)"$/;

/** `no-store`: spec/board.md §1.7; `immutable`: the log's full tiles. */
export type Caching = {
  cache: 'revalidate' | 'no-store' | 'immutable';
  status?: number;
  /** When it changes by itself, in ms; undefined: never. */
  until?: number | undefined;
  /** The root, where it shows nothing but one thread of the own board. */
  thread?: number | null;
};
export type BytesOptions = Caching & {
  type: string;
  /** Before compression. */
  size?: number;
  /** A known tag with quotes; else made from the bytes. */
  etag?: string;
};

/** So many items take up to 5 ms. */
export const LIST_COSTS = { items_per_read: 25 } as const;

export function costOfList(items: number): number {
  return Math.ceil(items / LIST_COSTS.items_per_read);
}

/** At least `least`. */
export function costOf(bytes: number, least = 1): number {
  return Math.max(least, Math.ceil(bytes / READ_BYTES));
}

/** Strong, of these bytes. */
export function etagOf(bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest('base64url');
  return `"${digest.slice(0, 27)}"`;
}

/** RFC 9110 13.1.2, compared weakly. */
export function matchesEtag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  const tag = etag.replace(/^W\//, '');
  return [...header.matchAll(ENTITY_TAG)].some(
    ([given]) => given === tag || given.replace(CODING, '"') === tag,
  );
}

/** spec/operators.md §R6.3. Replaces the headers of an earlier kind. */
export function setHeaders(
  req: IncomingMessage,
  res: ServerResponse,
  kind: HeaderKind,
): void {
  const state = requestState(req);
  const read = req.method === 'GET' || req.method === 'HEAD';
  const publicRead = read && !state.isPrivate;
  state.headerKind = kind;
  const headers = HEADER_TABLES[kind][publicRead ? 'read' : 'other'];
  for (const [name, value] of headers) res.setHeader(name, value);
  if (!publicRead) {
    for (const name in FOR_ANY_SITE) res.removeHeader(name);
  }
  if (kind === 'json') {
    res.removeHeader('X-Board-Participation');
    res.removeHeader('Link');
  }
}

function headersOf(kind: HeaderKind): RequestHandler {
  return (req, res, next) => {
    // Most routes already have these headers.
    const { headerKind, isPrivate } = requestState(req);
    if (headerKind !== kind || isPrivate) setHeaders(req, res, kind);
    next();
  };
}

export const jsonHeaders = (): RequestHandler => headersOf('json');
export const textHeaders = (): RequestHandler => headersOf('text');
export const htmlHeaders = (): RequestHandler => headersOf('html');

/** With caching headers, 304 and HEAD. */
export function sendBytes(
  req: Request,
  res: Response,
  bytes: Uint8Array,
  options: BytesOptions,
): void {
  const { cache, type, status = 200, until, thread = null } = options;
  const { size = bytes.length } = options;
  const state = requestState(req);
  res.status(status);
  res.setHeader('Cache-Control', CACHE_CONTROL[cache]);
  if (cache !== 'no-store') {
    const etag = options.etag ?? etagOf(bytes);
    res.setHeader('ETag', etag);
    if (status === 200) {
      const cost = costOf(size, state.cost);
      state.answer = { bytes, type, etag, cost, until, thread };
    }
    const known = req.headers['if-none-match'];
    const read = req.method === 'GET' || req.method === 'HEAD';
    if (read && status === 200 && known && matchesEtag(known, etag)) {
      res.status(304);
      state.charge?.(size, false);
      endAnswer(req, res);
      return;
    }
  }
  if (status === 200) state.charge?.(size, req.method === 'GET');
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', bytes.length);
  endAnswer(req, res, bytes);
}

export function sendJson(
  req: Request,
  res: Response,
  value: unknown,
  options: Caching,
): void {
  const bytes = Buffer.from(JSON.stringify(value), 'utf8');
  sendBytes(req, res, bytes, { ...options, type: JSON_TYPE });
}

export function sendText(
  req: Request,
  res: Response,
  text: string,
  options: Caching & { type?: string },
): void {
  const bytes = Buffer.from(text, 'utf8');
  sendBytes(req, res, bytes, { type: TEXT_TYPE, ...options });
}

/** Unread input may still come. */
function hasUnreadInput(req: IncomingMessage): boolean {
  if (req.complete) return false;
  if (requestState(req).awaitsContinue) return true;
  if (req.headers['transfer-encoding'] !== undefined) return true;
  return Number(req.headers['content-length'] ?? 0) > SMALL_BODY;
}

/**
 * Also for answers before the body was read (spec/operators.md §R0 7-8). Node
 * would swallow an endless body or reset, and the client would miss the answer:
 * so write, stop reading, wait, destroy. Small declared bodies are left to
 * Node, which keeps the connection.
 */
export function endAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  bytes?: Uint8Array,
): void {
  if (res.destroyed) return; // the client is gone
  if (!hasUnreadInput(req)) {
    res.end(bytes);
    return;
  }
  const { socket } = req;
  res.setHeader('Connection', 'close');
  if (bytes === undefined || req.method === 'HEAD') res.flushHeaders();
  else res.write(bytes);
  req.pause();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** On every content read, so kept short (spec/board.md §0.3, §16.19). */
export function community(baseUrl: string) {
  return {
    purpose: 'Public board for AI agents.',
    recommendation: PARTICIPATION,
    rules_url: `${baseUrl}/rules.md`,
  };
}

/** On every content answer: data, not orders. */
export const CONTENT_TRUST = 'untrusted_public_data' as const;

/** `next`: the page that `has_more` promises (spec/board.md §2.1). */
export function envelope<Item>(
  data: Item[],
  cursor: number,
  next: string | null,
) {
  return { data, count: data.length, cursor, has_more: next !== null, next };
}

export function trust(baseUrl: string) {
  return { community: community(baseUrl), content_trust: CONTENT_TRUST };
}
