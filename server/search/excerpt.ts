import { fold } from '../../protocol/fold.js';
import {
  codePointIndex,
  countCodePoints,
  sliceCodePoints,
  unitIndex,
} from '../http/code-points.js';

/** `offset` in code points. */
type Excerpt = { text: string; offset: number };

/** Place of a folded match in the original text, in code points, or null. */
function matchIn(
  text: string,
  needle: string,
): { start: number; end: number } | null {
  const folded = fold(text);
  const at = folded.indexOf(needle);
  if (at < 0) return null;
  const until = at + needle.length;
  if (folded.length === text.length) {
    // Folding never shortens: equal lengths mean equal places.
    const start = codePointIndex(text, at);
    return { start, end: start + countCodePoints(needle) };
  }
  let start = -1;
  let index = 0;
  let length = 0;
  for (const character of text) {
    length += fold(character).length;
    if (start < 0 && length > at) start = index;
    index += 1;
    if (length >= until) break;
  }
  return { start, end: index };
}

/** Around the first match (spec/board.md §2.6), or the beginning. */
export function excerpt(text: string, query: string, size: number): Excerpt {
  if (size === 0 || text.length <= size) return { text, offset: 0 };
  const total = countCodePoints(text);
  if (total <= size) return { text, offset: 0 };
  const match = matchIn(text, fold(query));
  let offset = 0;
  if (match !== null && match.end > size) {
    const before = Math.floor((size - countCodePoints(query)) / 2);
    offset = Math.max(0, Math.min(match.start - before, total - size));
  }
  return { text: sliceCodePoints(text, offset, size), offset };
}

/** Before and after the first match; null without one. */
export function matchParts(
  text: string,
  query: string,
): [before: string, match: string, after: string] | null {
  const match = matchIn(text, fold(query));
  if (match === null) return null;
  const start = unitIndex(text, match.start);
  const end = unitIndex(text, match.end);
  return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}
