import { promisify } from 'node:util';
import { gzip as compress, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { takesGzip } from './accept.js';
import { type BytesOptions, etagOf, matchesEtag, sendBytes } from './send.js';

/** Smaller answers gain nothing. */
const WORTH_BYTES = 1400;
/** Faster than handing it to another thread. */
const AT_ONCE_BYTES = 16_384;

const gzip = promisify<Uint8Array, { level: number }, Buffer>(compress);
/** Documents are packed and tagged once. */
const packed = new WeakMap<Uint8Array, Promise<Buffer>>();
const tags = new WeakMap<Uint8Array, string>();

type PackedOptions = BytesOptions & {
  /** Of gzip: 1 for single answers, 9 for cached ones. */
  level?: number;
};

/** With gzip and a weak tag, so that HEAD and 304 have the same. */
export function sendPacked(
  req: Request,
  res: Response,
  bytes: Uint8Array,
  { level = 6, ...options }: PackedOptions,
): void {
  if (bytes.length < WORTH_BYTES) {
    sendBytes(req, res, bytes, options);
    return;
  }
  res.vary('Accept-Encoding');
  const how = { ...weaklyTagged(bytes, options), size: bytes.length };
  const known = req.headers['if-none-match'];
  const kept = known && how.etag && matchesEtag(known, how.etag);
  if (kept || !takesGzip(req)) {
    sendBytes(req, res, bytes, how);
    return;
  }
  if (how.cache === 'no-store' && bytes.length <= AT_ONCE_BYTES) {
    res.setHeader('Content-Encoding', 'gzip');
    sendBytes(req, res, gzipSync(bytes, { level }), how);
    return;
  }
  const packing = packed.get(bytes) ?? gzip(bytes, { level });
  packed.set(bytes, packing);
  packing.then(
    (small) => {
      if (res.destroyed) return; // the client is gone
      res.setHeader('Content-Encoding', 'gzip');
      sendBytes(req, res, small, how);
    },
    () => sendBytes(req, res, bytes, how),
  );
}

/** Uncacheable answers need no tag. */
function weaklyTagged(bytes: Uint8Array, how: BytesOptions): BytesOptions {
  if (how.cache === 'no-store') return how;
  const etag = how.etag ?? tags.get(bytes) ?? etagOf(bytes);
  tags.set(bytes, etag);
  return { ...how, etag: `W/${etag}` };
}
