import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { endAnswer } from './fast/end-response.js';
import { keepAnswer } from './fast/response-cache.js';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

const CACHE_CONTROL = {
  revalidate: 'public, max-age=0, must-revalidate',
  immutable: 'public, max-age=31536000, immutable',
  'no-store': 'no-store',
} as const;
// The prefix W/ makes no difference to a weak comparison.
const ENTITY_TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * `no-store` is what spec/board.md §1.7 names; `immutable` the log's full
 * tiles.
 */
export type Caching = {
  cache: 'revalidate' | 'no-store' | 'immutable';
  status?: number;
  /** When the answer changes by itself, in ms; never when left out. */
  until?: number;
};
export type BytesOptions = Caching & {
  type: string;
  /** A tag already known, quotes included; else it is made of the bytes. */
  etag?: string;
};

/** A strong entity tag of exactly these bytes. */
export function etagOf(bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest('base64url');
  return `"${digest.slice(0, 27)}"`;
}

/** RFC 9110 13.1.2: `*` or a list, compared weakly. */
export function matchesEtag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  const tag = etag.replace(/^W\//, '');
  return [...header.matchAll(ENTITY_TAG)].some((match) => match[0] === tag);
}

/** Sends bytes with their caching headers; answers 304 and HEAD by itself. */
export function sendBytes(
  req: Request,
  res: Response,
  bytes: Uint8Array,
  options: BytesOptions,
): void {
  const { cache, type, status = 200, until } = options;
  res.status(status);
  res.setHeader('Cache-Control', CACHE_CONTROL[cache]);
  if (cache !== 'no-store') {
    const etag = options.etag ?? etagOf(bytes);
    res.setHeader('ETag', etag);
    if (status === 200) keepAnswer(res, { bytes, type, etag, until });
    const known = req.headers['if-none-match'];
    const read = req.method === 'GET' || req.method === 'HEAD';
    if (read && status === 200 && known && matchesEtag(known, etag)) {
      res.status(304);
      endAnswer(req, res);
      return;
    }
  }
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', bytes.length);
  endAnswer(req, res, bytes);
}

/** Serialises `value` once and sends it. */
export function sendJson(
  req: Request,
  res: Response,
  value: unknown,
  options: Caching,
): void {
  const bytes = Buffer.from(JSON.stringify(value), 'utf8');
  sendBytes(req, res, bytes, { ...options, type: JSON_TYPE });
}

/** `text/plain` unless `type` says otherwise. */
export function sendText(
  req: Request,
  res: Response,
  text: string,
  options: Caching & { type?: string },
): void {
  const bytes = Buffer.from(text, 'utf8');
  sendBytes(req, res, bytes, { type: TEXT_TYPE, ...options });
}
