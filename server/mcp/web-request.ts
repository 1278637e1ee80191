import type { Request as NodeRequest } from 'express';

/** Nothing of it is read, and a Host header need not be a host. */
const ADDRESS = 'http://localhost/mcp';

/**
 * What Node received, as the `Request` of the web that the protocol's library
 * takes. Its body is the one that was read and checked already.
 */
export function webRequest(
  req: NodeRequest,
  accept: string,
  signal: AbortSignal,
): Request {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(req.headers)) {
    for (const one of [value].flat()) headers.append(name, one);
  }
  headers.set('accept', accept);
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  const { method } = req;
  const body = JSON.stringify(req.body);
  return new Request(ADDRESS, { method, headers, body, signal });
}
