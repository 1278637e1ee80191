import { parseUrl } from './parse-url.js';
import { punycodeText } from './punycode.js';

const FORM = /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$/;
const OWN_PORT: Record<string, string> = { 'https:': '443', 'http:': '80' };

/**
 * The address of a board in the one form by which addresses are compared:
 * scheme, host and port, the scheme's own port left out. Null for every text
 * that another URL parser could read in another way: capitals, a final dot, a
 * path, a user, an IPv6 literal, an IPv4 address that is not written as four
 * numbers, a port that is too large or padded, Punycode that is none.
 */
export function addressOf(url: string): string | null {
  const parsed = FORM.test(url) ? parseUrl(url) : null;
  if (parsed === null) return null;
  const { origin, protocol } = parsed;
  const written = url === origin || url === `${origin}:${OWN_PORT[protocol]}`;
  return written && isNamed(parsed) ? origin : null;
}

const LONGEST_LABEL = 63;

/**
 * Whether each label in Punycode is what its text is written as. URL parsers
 * check that for a text in Unicode, and not all of them for one in ASCII.
 */
function isNamed({ protocol, hostname }: URL): boolean {
  const labels = hostname.split('.').map((label) => {
    if (!label.startsWith('xn--')) return label;
    if (label.length > LONGEST_LABEL) return null;
    return punycodeText(label.slice('xn--'.length));
  });
  if (labels.includes(null)) return false;
  return parseUrl(`${protocol}//${labels.join('.')}`)?.hostname === hostname;
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
