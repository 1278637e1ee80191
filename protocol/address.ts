import { parseUrl } from './parse-url.js';

const FORM = /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$/;
const OWN_PORT: Record<string, string> = { 'https:': '443', 'http:': '80' };

/**
 * The address of a board in the one form by which addresses are compared:
 * scheme, host and port, the scheme's own port left out. Null for every text
 * that another URL parser could read in another way: capitals, a final dot, a
 * path, a user, an IPv6 literal, an IPv4 address that is not written as four
 * numbers, a port that is too large or padded.
 */
export function addressOf(url: string): string | null {
  const parsed = FORM.test(url) ? parseUrl(url) : null;
  if (parsed === null) return null;
  const { origin, protocol } = parsed;
  const written = url === origin || url === `${origin}:${OWN_PORT[protocol]}`;
  return written ? origin : null;
}

/**
 * A board's address as people write it, with a final slash or without, in the
 * form without. It has no path, query or user (spec/board.md §14.4); null for
 * anything else.
 */
export function boardAddress(text: string): string | null {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const bare = url.pathname === '/' && url.search === '' && url.hash === '';
  return bare && url.username === '' && url.password === '' ? url.origin : null;
}
