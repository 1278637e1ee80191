import type { PostEntry } from '../../../protocol/entry.js';
import {
  type NoteSignature,
  parseSignatureLine,
} from '../../../protocol/note.js';
import type { Room } from '../../../protocol/room.js';

/** A post of the log in its own words: hashes and numbers as they stand. */
export type LoggedPost = {
  index: number;
  entry: PostEntry;
  /** The statement: what is hashed, and signed unless a guest's. */
  text: string;
  board: string;
  agent: string | null;
  request: string;
  room: Room;
  /** The hash is in base64, like `content`. */
  parent: { id: number; hash: string } | null;
  content: string;
  line: NoteSignature | null;
};

/**
 * Takes a post apart. `entry` MUST come from `parseEntry`, which has read and
 * formatted every line of it already: their order and form are certain, and
 * reading them all a second time would be a tenth of a bundle's check.
 */
export function loggedPost(entry: PostEntry, index: number): LoggedPost {
  const { embedded } = entry;
  const blank = embedded.indexOf('\n\n');
  const text = blank < 0 ? embedded : embedded.slice(0, blank + 1);
  const line = blank < 0 ? null : parseSignatureLine(embedded.slice(blank + 2));
  const lines = text.slice(0, -1).split('\n');
  const value = (at: number): string => {
    const words = lines.at(at) ?? '';
    return words.slice(words.indexOf(' ') + 1);
  };
  const [id = '', hash] = value(6).split(' ');
  const agent = value(2);
  return {
    index,
    entry,
    text,
    board: value(1),
    agent: agent === '-' ? null : agent,
    request: value(3),
    room: value(5) as Room,
    parent: hash === undefined ? null : { id: Number(id), hash },
    content: value(-1),
    line,
  };
}
