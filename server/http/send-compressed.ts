import { promisify } from 'node:util';
import { gzip as compress, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { takesGzip } from './accept.js';
import { type BytesOptions, etagOf, matchesEtag, sendBytes } from './send.js';

/** Below this a packed answer saves nothing that anybody notices. */
const WORTH_BYTES = 1400;
/** Up to here it takes less than for another thread to begin with it. */
const AT_ONCE_BYTES = 16_384;

const gzip = promisify<Uint8Array, { level: number }, Buffer>(compress);
/** Documents are the same bytes each time, and packed and tagged once. */
const packed = new WeakMap<Uint8Array, Promise<Buffer>>();
const tags = new WeakMap<Uint8Array, string>();

type PackedOptions = BytesOptions & {
  /** Of gzip: 1 for what is made for each answer, 9 for what is kept. */
  level?: number;
};

/**
 * Sends what people and programs read whole, pages and documents, with gzip to
 * clients that take it. Their tag is a weak one, packed or not, so that HEAD and
 * 304 carry the same one though the bytes differ. What is not small is packed off
 * the event loop.
 */
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

/** What no cache may keep needs no tag. */
function weaklyTagged(bytes: Uint8Array, how: BytesOptions): BytesOptions {
  if (how.cache === 'no-store') return how;
  const etag = how.etag ?? tags.get(bytes) ?? etagOf(bytes);
  tags.set(bytes, etag);
  return { ...how, etag: `W/${etag}` };
}
