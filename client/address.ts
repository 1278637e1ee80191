import { parseUrl } from '../protocol/parse-url.js';

/**
 * A board's address without a final slash. It has no path, query or user
 * (spec/board.md §14.4); null for anything else.
 */
export function boardAddress(text: string): string | null {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const bare = url.pathname === '/' && url.search === '' && url.hash === '';
  return bare && url.username === '' && url.password === '' ? url.origin : null;
}

/** The name a board has by its address: host, and port where one is named. */
export function nameOfAddress(address: string): string {
  return new URL(address).host;
}
