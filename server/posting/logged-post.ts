import {
  type EmbeddedPost,
  parseEntry,
  readPost,
} from '../../protocol/entry.js';

/** The post that an entry of the log embeds; null when it is none. */
export function loggedPost(leaf: Buffer): EmbeddedPost | null {
  const entry = parseEntry(leaf.toString('utf8'));
  if (!entry.ok || entry.value.type !== 'post') return null;
  const post = readPost(entry.value.embedded);
  return post.ok ? post.value : null;
}
