import type { Room } from '../../protocol/room.js';

/** A message or a decision as a feed shows it; times in ms. */
export type Entry = {
  /** Unique for ever (RFC 4287 4.2.6). */
  id: string;
  title: string;
  /** Human address. */
  url: string;
  /** The same for programs. */
  readUrl: string;
  published: number;
  /** Of its last change of state: a removal, a reinstatement. */
  updated: number;
  author: string;
  /** Plain text, exactly as published. */
  text: string;
  room: Room;
  messageId: number;
  rootId: number;
  /** The entry it answers. */
  parent: { id: string; url: string } | null;
  removed: boolean;
};

/** One feed, before it becomes Atom or JSON Feed. */
export type Feed = {
  id: string;
  title: string;
  description: string;
  /** The page it follows. */
  homeUrl: string;
  /** Its own addresses. */
  atomUrl: string;
  jsonUrl: string;
  /** Newest first. */
  entries: readonly Entry[];
};

/** When a feed last changed; the epoch while nothing has happened. */
export function updatedOf({ entries }: Feed): number {
  return Math.max(0, ...entries.map(({ updated }) => updated));
}

/** How many of the newest entries a feed holds. */
export const FEED_ENTRIES = 50;
