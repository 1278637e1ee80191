import { createHash } from 'node:crypto';
import { fold } from '../../protocol/fold.js';
import { parseUrl } from '../../protocol/parse-url.js';
import { ENDS_ADDRESS } from '../http/urls.js';
import { collapse } from './white-space.js';

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
  const text = collapse(fold(body));
  const digest = createHash('sha256').update(`text\n${text}`).digest();
  const hosts = new Set<string>();
  for (const { hostname } of linksOf(body)) {
    if (hostname !== '' && hosts.size < HOSTS_MAX) hosts.add(hostname);
  }
  return {
    textKey: digest.subarray(0, KEY_BYTES),
    linkHosts: hosts.size === 0 ? null : [...hosts],
  };
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
