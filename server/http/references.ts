const WORD = '\\p{Alphabetic}\\p{M}\\p{N}\\p{Pc}';
const REFERENCE = new RegExp(
  `(?<![${WORD}#&/])#([1-9][0-9]{0,14})(?![${WORD}])`,
  'gu',
);

/**
 * The distinct IDs a text names as `#ID`, in order (spec/board.md §2.8): which
 * of them exist is for the reader of the database to say. Word characters are
 * Unicode's: neither `é#5` nor `#5é` is a reference.
 */
export function referenceCandidates(text: string): number[] {
  if (!text.includes('#')) return [];
  const ids = new Set<number>();
  for (const match of text.matchAll(REFERENCE)) ids.add(Number(match[1]));
  return [...ids];
}

/** A reference and where it stands, in units of the string. */
export type ReferencePlace = { id: number; start: number; end: number };

/** Every place, repeats included, for views that turn them into links. */
export function referencePlaces(text: string): ReferencePlace[] {
  if (!text.includes('#')) return [];
  return [...text.matchAll(REFERENCE)].map((match) => ({
    id: Number(match[1]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}
