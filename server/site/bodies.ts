import { setImmediate as yieldLoop } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { cutCodePoints } from '../http/code-points.js';
import type { ShownMessage } from '../reading/index.js';
import { renderMarkdown, sourceAsHtml } from './markdown/markdown.js';
import { plainText } from './markdown/plain-text.js';

/** Of a page or feed, which ends there (spec/board.md §8). */
export const MAX_BYTES = 512 * 1024;
const KEPT_CHARACTERS = 16_000_000;
const SLICE_MS = 10;

/** What a body's HTML is made of. */
type Written = Pick<ShownMessage, 'id' | 'body' | 'body_sha256' | 'references'>;

/** The page of a message that a body names. */
type PathOf = (reference: Written['references'][number]) => string;

/** Rendered bodies by text and by what it may name: both make the HTML. */
const kept = new LRUCache<string, string>({
  maxSize: KEPT_CHARACTERS,
  sizeCalculation: (html, key) => html.length + key.length,
});

function htmlOf(message: Written, pathOf: PathOf): string {
  const { body, body_sha256, references } = message;
  const links = references.map((one) => [one.id, pathOf(one)] as const);
  const names = links.join(' ');
  const key = `${body_sha256} ${body.length} ${names}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const html = rendered(body, new Map(links));
  kept.set(key, html);
  return html;
}

/** A text that the renderer fails on is shown as it is: the page goes on. */
function rendered(body: string, links: ReadonlyMap<number, string>): string {
  try {
    return renderMarkdown(body, links);
  } catch {
    return sourceAsHtml(body);
  }
}

/**
 * The bodies of a page as HTML, by message ID, as far as a page can hold them.
 * Other requests run in between, however hard the texts are.
 */
export async function renderBodies(
  messages: readonly Written[],
  pathOf: PathOf,
): Promise<ReadonlyMap<number, string>> {
  const bodies = new Map<number, string>();
  let started = performance.now();
  let length = 0;
  for (const message of messages) {
    if (length > MAX_BYTES) break;
    const html = htmlOf(message, pathOf);
    length += html.length;
    bodies.set(message.id, html);
    if (performance.now() - started > SLICE_MS) {
      await yieldLoop();
      started = performance.now();
    }
  }
  return bodies;
}

/** Takes an address of this board its host: pages link within themselves. */
export function withoutHost(
  baseUrl: string,
): (reference: { url: string }) => string {
  return ({ url }) =>
    url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
}

/** How much of a text is read for an excerpt; its marks take room too. */
export const EXCERPT_SOURCE = 480;

/** The beginning of a text in at most `size` code points, without Markdown. */
export function excerptOf(body: string, size: number): string {
  const source = cutCodePoints(body, EXCERPT_SOURCE);
  const words = plainWords(source);
  const short = cutCodePoints(words, size);
  return short === words && source === body ? short : `${short.trimEnd()}…`;
}

/** Words by text: lists and quotes show the same beginnings again and again. */
const keptWords = new LRUCache<string, string>({
  maxSize: KEPT_CHARACTERS / 4,
  sizeCalculation: (words, source) => words.length + source.length + 1,
});

/** A text in one line without Markdown; as it is where that fails. */
export function plainWords(source: string): string {
  const known = keptWords.get(source);
  if (known !== undefined) return known;
  const words = wordsOf(source);
  keptWords.set(source, words);
  return words;
}

function wordsOf(source: string): string {
  try {
    return plainText(source);
  } catch {
    return source.replace(/\s+/g, ' ').trim();
  }
}
