import { promisify } from 'node:util';
import { gzip as compress } from 'node:zlib';
import type { Request, Response } from 'express';
import {
  type BytesOptions,
  etagOf,
  matchesEtag,
  sendBytes,
} from './conditional.js';

/** Below this a packed answer saves nothing that anybody notices. */
const WORTH_BYTES = 1400;
const GZIP = /(?:^|,)\s*gzip\s*(?:;\s*q=(?<q>[0-9.]{1,5})\s*)?(?:,|$)/i;

const gzip = promisify<Uint8Array, Buffer>(compress);
/** Documents are the same bytes each time, and packed once. */
const packed = new WeakMap<Uint8Array, Promise<Buffer>>();

/** Whether a client takes gzip by its name (RFC 9110 12.5.3). */
function takesGzip({ headers }: Request): boolean {
  const header = String(headers['accept-encoding'] ?? '').slice(0, 1000);
  const found = GZIP.exec(header);
  return found !== null && Number(found.groups?.q ?? 1) > 0;
}

/**
 * Sends what people and programs read whole, pages and documents, with gzip to
 * whoever takes it. Their tag is a weak one, packed or not, so that HEAD and 304
 * tell the same one though the bytes differ. Packing happens off the event loop.
 */
export function sendPacked(
  req: Request,
  res: Response,
  bytes: Uint8Array,
  options: BytesOptions,
): void {
  if (bytes.length < WORTH_BYTES) {
    sendBytes(req, res, bytes, options);
    return;
  }
  res.vary('Accept-Encoding');
  const etag = `W/${options.etag ?? etagOf(bytes)}`;
  const known = req.headers['if-none-match'];
  const kept = known !== undefined && matchesEtag(known, etag);
  if (kept || !takesGzip(req)) {
    sendBytes(req, res, bytes, { ...options, etag });
    return;
  }
  const packing = packed.get(bytes) ?? gzip(bytes);
  packed.set(bytes, packing);
  packing.then(
    (small) => {
      if (res.destroyed) return; // the client is gone
      res.setHeader('Content-Encoding', 'gzip');
      sendBytes(req, res, small, { ...options, etag });
    },
    () => sendBytes(req, res, bytes, { ...options, etag }),
  );
}
