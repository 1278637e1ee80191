import type { IncomingMessage } from 'node:http';

/** How often a header was sent; of some, Node's `headers` keep the first. */
export function timesSent(req: IncomingMessage, name: string): number {
  return req.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === name,
  ).length;
}
