import { ROOMS } from '../../../protocol/room.js';
import type { PostFacts } from './check-post.js';

/**
 * The posts of a tile on their way between threads: two values, where objects
 * would be cloned one by one.
 */
export type PackedPosts = { numbers: Float64Array; texts: string };

const NUMBERS = 7;
const UUID = 36;
const HASH = 44; // 32 bytes in base64
const TEXT = UUID + 2 * HASH;
const NO_HASH = ' '.repeat(HASH);

export function packPosts(posts: readonly PostFacts[]): PackedPosts {
  const numbers = new Float64Array(NUMBERS * posts.length);
  let texts = '';
  let at = 0;
  for (const { parent, poll, room, signed, ...post } of posts) {
    numbers[at] = post.index;
    numbers[at + 1] = post.id;
    numbers[at + 2] = post.root;
    numbers[at + 3] = ROOMS.indexOf(room);
    numbers[at + 4] = signed ? 1 : 0;
    // Ids begin at 1.
    numbers[at + 5] = parent?.id ?? 0;
    numbers[at + 6] = poll ?? 0;
    at += NUMBERS;
    texts += post.request + post.hash + (parent?.hash ?? NO_HASH);
  }
  return { numbers, texts };
}

/** The posts again, in their order. */
export function unpackPosts({ numbers, texts }: PackedPosts): PostFacts[] {
  return Array.from({ length: numbers.length / NUMBERS }, (_, n) => {
    const numberAt = (at: number) => numbers[n * NUMBERS + at] ?? 0;
    const text = (from: number, length: number) =>
      texts.slice(n * TEXT + from, n * TEXT + from + length);
    const parent = { id: numberAt(5), hash: text(UUID + HASH, HASH) };
    return {
      index: numberAt(0),
      id: numberAt(1),
      root: numberAt(2),
      room: ROOMS[numberAt(3)] ?? ROOMS[0],
      request: text(0, UUID),
      hash: text(UUID, HASH),
      parent: parent.id === 0 ? null : parent,
      poll: numberAt(6) || null,
      signed: numberAt(4) === 1,
    };
  });
}
