import { parseUrl } from './parse-url.js';
import { punycodeText } from './punycode.js';

const FORM = /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$/;
const OWN_PORT: Record<string, string> = { 'https:': '443', 'http:': '80' };

/**
 * Comparable form of an address: scheme, host, port unless default. Null for
 * texts that URL parsers may read differently: capitals, final dots, paths,
 * users, IPv6, unusual IPv4, bad ports or Punycode.
 */
export function addressOf(url: string): string | null {
  const parsed = FORM.test(url) ? parseUrl(url) : null;
  if (parsed === null) return null;
  const { origin, protocol } = parsed;
  const written = url === origin || url === `${origin}:${OWN_PORT[protocol]}`;
  return written && isNamed(parsed) ? origin : null;
}

const LONGEST_LABEL = 63;

/** Each Punycode label is the right encoding: not all parsers check. */
function isNamed({ protocol, hostname }: URL): boolean {
  const labels = hostname.split('.').map((label) => {
    if (!label.startsWith('xn--')) return label;
    if (label.length > LONGEST_LABEL) return null;
    return punycodeText(label.slice('xn--'.length));
  });
  if (labels.includes(null)) return false;
  return parseUrl(`${protocol}//${labels.join('.')}`)?.hostname === hostname;
}

/** No path, query or user (spec/board.md §14.4); else null. */
export function boardAddress(text: string): string | null {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const bare = url.pathname === '/' && url.search === '' && url.hash === '';
  return bare && url.username === '' && url.password === '' ? url.origin : null;
}
