import { setImmediate as yieldLoop } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { cutCodePoints } from '../http/code-points.js';
import type { ShownMessage } from '../reading/index.js';
import { renderMarkdown, sourceAsHtml } from './markdown/markdown.js';
import { plainText } from './markdown/plain-text.js';

/** Of a page or feed, which ends there (spec/board.md §8). */
export const MAX_BYTES = 512 * 1024;
/** Safety margin of the estimate. */
const CAUTION = 0.9;
/** About what a page has around a body. */
const FRAME_BYTES = 1000;
const KEPT_CHARACTERS = 16_000_000;
const SLICE_MS = 10;

/** How many of `items` fit, of which all take `bytes`. */
export function fittingOf(items: number, bytes: number): number {
  return Math.max(1, Math.floor((items * MAX_BYTES * CAUTION) / bytes));
}

type Written = Pick<ShownMessage, 'id' | 'body' | 'body_sha256' | 'references'>;

type PathOf = (reference: Written['references'][number]) => string;

/** By text and by what it may name. */
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

/** Shown as source where the renderer fails. */
function rendered(body: string, links: ReadonlyMap<number, string>): string {
  try {
    return renderMarkdown(body, links);
  } catch {
    return sourceAsHtml(body);
  }
}

/** By ID. */
export type Bodies = ReadonlyMap<number, string>;

/**
 * Of as many items as fit on a page, from the first one. Other requests run in
 * between.
 */
export async function renderBodies(
  items: readonly (Written | { id: number; body?: never })[],
  pathOf: PathOf,
): Promise<{ bodies: Bodies; fits: number }> {
  const bodies = new Map<number, string>();
  let started = performance.now();
  let bytes = 0;
  for (const [fits, item] of items.entries()) {
    const html = item.body === undefined ? null : htmlOf(item, pathOf);
    bytes += Buffer.byteLength(html ?? '') + FRAME_BYTES;
    if (bytes > MAX_BYTES && fits > 0) return { bodies, fits };
    if (html !== null) bodies.set(item.id, html);
    if (performance.now() - started > SLICE_MS) {
      await yieldLoop();
      started = performance.now();
    }
  }
  return { bodies, fits: items.length };
}

/** Pages link within themselves. */
export function withoutHost(
  baseUrl: string,
): (reference: { url: string }) => string {
  return ({ url }) =>
    url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
}

/** Code points read for an excerpt; marks take room, too. */
export const EXCERPT_SOURCE = 480;

/** Without Markdown. */
export function excerptOf(body: string, size: number): string {
  const source = cutCodePoints(body, EXCERPT_SOURCE);
  const words = plainWords(source);
  const short = cutCodePoints(words, size);
  return short === words && source === body ? short : `${short.trimEnd()}…`;
}

/** Beginnings recur in lists and quotes. */
const keptWords = new LRUCache<string, string>({
  maxSize: KEPT_CHARACTERS / 4,
  sizeCalculation: (words, source) => words.length + source.length + 1,
  memoMethod: (source) => {
    try {
      return plainText(source);
    } catch {
      return source.replace(/\s+/g, ' ').trim();
    }
  },
});

/** In one line, or the source where that fails. */
export const plainWords = (source: string) => keptWords.memo(source);
