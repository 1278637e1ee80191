import type { IncomingMessage } from 'node:http';
import { BoardError } from '../../errors.js';

/** So many headers Node keeps of a request; it drops the others silently. */
export const MAX_HEADERS = 1_000;

/** Whether headers may have been dropped: X-Forwarded-For, for one. */
export function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length >= 2 * MAX_HEADERS;
}

/** Bytes of the request line and of all names and values. */
export const MAX_HEADER_BYTES = 8_192;

export function headersTooLarge(): BoardError {
  return new BoardError(
    'headers_too_large',
    `The request line and headers are larger than ${MAX_HEADER_BYTES} bytes, or there are ${MAX_HEADERS} headers or more; send fewer or shorter ones.`,
  );
}

/** How often a header was sent; of some, Node's `headers` keep the first. */
export function timesSent(req: IncomingMessage, name: string): number {
  return req.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === name,
  ).length;
}
