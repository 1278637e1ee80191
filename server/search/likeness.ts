import { createHash } from 'node:crypto';
import { fold } from '../../protocol/fold.js';
import { parseUrl } from '../../protocol/parse-url.js';
import { ENDS_ADDRESS } from '../http/urls.js';

/** spec/operators.md §5.1 */
export type Likeness = {
  /** Equal for bodies that differ in case and white space only. */
  textKey: Buffer;
  /** Of http(s) links; null without any. */
  linkHosts: string[] | null;
};

const KEY_BYTES = 16;
const HOSTS_MAX = 20;

/** Deleted with the body. */
export function likenessOf(body: string): Likeness {
  const hosts = new Set<string>();
  for (const { hostname } of linksOf(body)) {
    if (hostname !== '' && hosts.size < HOSTS_MAX) hosts.add(hostname);
  }
  return {
    textKey: textKeyOf(body),
    linkHosts: hosts.size === 0 ? null : [...hosts],
  };
}

export function textKeyOf(body: string): Buffer {
  const text = collapse(fold(body));
  const digest = createHash('sha256').update(`text\n${text}`).digest();
  return digest.subarray(0, KEY_BYTES);
}

const LINK = new RegExp(
  `https?://(?:(?!${ENDS_ADDRESS})[^\\s<>()[\\]"'\`])+`,
  'giu',
);

/** Hosts in lower case. */
export function* linksOf(body: string): Generator<URL> {
  for (const [link] of body.matchAll(LINK)) {
    const url = parseUrl(link);
    if (url !== null) yield url;
  }
}

/** Spelt out so that SQL and JavaScript agree on it. */
const WHITE =
  '\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

export const WHITE_SPACE_SQL = `[${WHITE}]+`;

/** A single blank, which most runs are, stays as it is. */
const RUN = new RegExp(`(?! [^${WHITE}])${WHITE_SPACE_SQL}`, 'g');

export function collapse(text: string): string {
  return text.replace(RUN, ' ').trim();
}
