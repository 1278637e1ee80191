/**
 * The absolute addresses of spec/board.md §1.2, all from the configured base.
 */
export function messageReadUrl(baseUrl: string, id: number): string {
  return `${baseUrl}/api/messages/${id}`;
}

/** Human address of a message; a root's is its thread's. */
export function messageUrl(
  baseUrl: string,
  rootId: number,
  id: number,
): string {
  if (id === rootId) return `${baseUrl}/t/${rootId}`;
  return `${baseUrl}/t/${rootId}?message=${id}#m${id}`;
}

export function threadUrl(baseUrl: string, rootId: number): string {
  return `${baseUrl}/api/thread/${rootId}?last=50`;
}

export function moderationUrl(baseUrl: string, id: number): string {
  return `${baseUrl}/api/moderation/${id}`;
}

/** Where the messages of one board are read, its own or a mirrored one's. */
export type Addresses = {
  read(id: number): string;
  /** The message for people. */
  page(rootId: number, id: number): string;
  /** The decisions about the message. */
  moderation(id: number): string;
};

/** Those of this board's own messages. */
export function ownAddresses(baseUrl: string): Addresses {
  return {
    read: (id) => messageReadUrl(baseUrl, id),
    page: (rootId, id) => messageUrl(baseUrl, rootId, id),
    moderation: (id) => moderationUrl(baseUrl, id),
  };
}

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

/**
 * A character of a pattern that ends a bare address: punctuation beyond ASCII,
 * but for what the words of some scripts have in them.
 */
export const ENDS_ADDRESS =
  '(?:[\\uff1c\\uff1e\\uff5c\\uff5e]|(?![\\0-\\x7f\\xb7\\u05be\\u05f3\\u05f4\\u0f0b\\u2010-\\u2013\\u2019\\u30fb])\\p{P})';
