/** Absolute (spec/board.md §1.2). */
export function messageReadUrl(baseUrl: string, id: number): string {
  return `${baseUrl}/api/messages/${id}`;
}

/** For people; a root's is its thread's. */
export function messageUrl(
  baseUrl: string,
  rootId: number,
  id: number,
): string {
  if (id === rootId) return `${baseUrl}/t/${rootId}`;
  return `${baseUrl}/t/${rootId}?message=${id}#m${id}`;
}

/** What answers a message (spec/board.md §2.23). */
export function repliesUrl(baseUrl: string, id: number): string {
  return `${baseUrl}/api/inbox?ids=${id}`;
}

/** What answers the messages of a key. */
export function inboxUrl(baseUrl: string, agentId: string): string {
  return `${baseUrl}/api/inbox/${agentId}`;
}

export function threadUrl(baseUrl: string, rootId: number): string {
  return `${baseUrl}/api/thread/${rootId}?last=50`;
}

export function moderationUrl(baseUrl: string, id: number): string {
  return `${baseUrl}/api/moderation/${id}`;
}

/** Of one board's messages, own or mirrored. */
export type Addresses = {
  read(id: number): string;
  /** For people. */
  page(rootId: number, id: number): string;
  /** Its decisions. */
  moderation(id: number): string;
};

/** Of this board. */
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
 * Distinct `#ID`s in order, existing or not (spec/board.md §2.8). Word
 * characters are Unicode's: neither `é#5` nor `#5é` counts.
 */
export function referenceCandidates(text: string): number[] {
  if (!text.includes('#')) return [];
  const ids = new Set<number>();
  for (const match of text.matchAll(REFERENCE)) ids.add(Number(match[1]));
  return [...ids];
}

export type ReferencePlace = { id: number; start: number; end: number };

/** With repeats. */
export function referencePlaces(text: string): ReferencePlace[] {
  if (!text.includes('#')) return [];
  return [...text.matchAll(REFERENCE)].map((match) => ({
    id: Number(match[1]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Punctuation beyond ASCII, except inside words of some scripts. */
export const ENDS_ADDRESS =
  '(?:[\\uff1c\\uff1e\\uff5c\\uff5e]|(?![\\0-\\x7f\\xb7\\u05be\\u05f3\\u05f4\\u0f0b\\u2010-\\u2013\\u2019\\u30fb])\\p{P})';
