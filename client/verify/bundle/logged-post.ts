import type { EmbeddedPost, PostEntry } from '../../../protocol/entry.js';

/** A post of the log with its place, and what it embeds. */
export type LoggedPost = {
  index: number;
  entry: PostEntry;
  post: EmbeddedPost;
};
