import { parseUrl } from '../../../protocol/parse-url.js';

const WEB = /^https?:\/\/[^/]/i;
const LONGEST = 2048;

/** Where a link leads, and whom it really reaches. */
export type WebAddress = {
  /** As a browser understands it, in ASCII. */
  href: string;
  host: string;
  /** The text alone tells where it leads; else the host is shown too. */
  plain: (text: string) => boolean;
};

/** An absolute `http(s)` address; null for everything else. */
export function webAddress(text: string): WebAddress | null {
  const isShort = text.length <= LONGEST;
  const url = isShort && WEB.test(text) ? parseUrl(text) : null;
  if (url === null) return null;
  const { href, host, protocol, username, password } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  // `https://bank.example@evil.example` reads like the bank's.
  const disguised = username !== '' || password !== '';
  const plain = (shown: string) =>
    !disguised && (shown === href || `${shown}/` === href);
  return { href, host, plain };
}
