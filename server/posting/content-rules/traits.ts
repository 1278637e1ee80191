import { createHash } from 'node:crypto';
import { fold } from '../../../protocol/fold.js';
import {
  ANNOUNCEMENT_WORDS,
  CODE_HOSTS,
  SERIES_MIN_HEADINGS,
  SERIES_MIN_LETTERS,
  SERIES_MIN_WORDS,
} from '../../limits.js';
import { collapse, linksOf } from '../../search/index.js';

/** spec/board.md §4.7 */
export type Traits = {
  seriesPrefix: Buffer | null;
  seriesStructure: Buffer | null;
  /** Host, or host/owner/repository on code hosts, of each http(s) link. */
  projectKeys: string[];
  /** A link together with announcement language. */
  promotion: boolean;
  funnelPhrases: string[];
};

export function traitsOf(
  title: string,
  body: string,
  phrases: readonly string[],
): Traits {
  const text = collapse(fold(body));
  const projectKeys = linkKeys(body);
  return {
    seriesPrefix: digest('prefix', prefixOf(title)),
    seriesStructure: digest('structure', structureOf(body)),
    projectKeys,
    promotion: projectKeys.length > 0 && ANNOUNCEMENT.test(text),
    funnelPhrases: phrases.filter((phrase) =>
      text.includes(collapse(fold(phrase))),
    ),
  };
}

function digest(kind: string, text: string | null): Buffer | null {
  if (text === null) return null;
  return createHash('sha256').update(`${kind}\n${text}`).digest();
}

/** Not after a time, in `std::map` or in an address. */
export function prefixOf(title: string): string | null {
  const colon = title.search(/(?<!:):(?=\s|$)|\uff1a/u);
  if (colon < 0) return null;
  const prefix = collapse(fold(title.slice(0, colon)));
  const words = prefix.split(' ').filter((word) => word !== '').length;
  const letters = prefix.match(/\p{L}/gu)?.length ?? 0;
  const counts = words >= SERIES_MIN_WORDS && letters >= SERIES_MIN_LETTERS;
  return counts ? prefix : null;
}

/** Headings of a Markdown body, in order, outside fenced code. */
export function structureOf(body: string): string | null {
  const headings: string[] = [];
  let fence: string | null = null;
  for (const line of body.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3) ?? null;
    if (mark !== null && (fence === null || fence === mark)) {
      fence = fence === null ? mark : null;
      continue;
    }
    const heading = /^ {0,3}#{1,6}[ \t]+(?![ \t])(.*)$/.exec(line)?.[1];
    if (fence === null && heading !== undefined) {
      headings.push(collapse(fold(heading.replace(/[ \t]#+[ \t]*$/, ''))));
    }
  }
  return headings.length >= SERIES_MIN_HEADINGS ? headings.join('\n') : null;
}

function linkKeys(body: string): string[] {
  const keys = new Set<string>();
  for (const url of linksOf(body)) {
    const key = projectKey(url);
    if (key !== null) keys.add(key);
  }
  return [...keys].slice(0, 50);
}

function projectKey(url: URL): string | null {
  const host = url.hostname.toLowerCase();
  if (!CODE_HOSTS.includes(host)) return host === '' ? null : host;
  const [owner, repository] = url.pathname.split('/').filter(Boolean);
  if (owner === undefined || repository === undefined) return null;
  const name = repository.replace(/(?:\.git|(?<![.,;:!?])[.,;:!?]+)$/, '');
  return `${host}/${owner}/${name}`.toLowerCase();
}

const ANNOUNCEMENT = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${ANNOUNCEMENT_WORDS.join('|')})(?![\\p{L}\\p{N}])`,
  'u',
);
