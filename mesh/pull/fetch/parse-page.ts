import {
  type EmbeddedPost,
  type Entry,
  type EntryHead,
  parseEntryHead,
  readLeaf,
  type UnknownEntry,
} from '../../../protocol/entry.js';
import type { FeedEntry } from '../../../protocol/feed-page.js';

/** A leaf of the page, read once. `entry` is null where it is unreadable. */
export type ParsedLeaf = {
  leaf: string;
  content: FeedEntry['content'];
  entry: Entry | UnknownEntry | null;
  /** Type, time and id, also of most leaves that are no entry. */
  head: EntryHead | null;
  /** What a post embeds. */
  post: EmbeddedPost | null;
};

export function parseLeaf({ leaf, content }: FeedEntry): ParsedLeaf {
  const read = readLeaf(leaf);
  if (!read.ok) {
    const head = parseEntryHead(leaf);
    return { leaf, content, entry: null, head, post: null };
  }
  const { entry, post } = read.value;
  const head: EntryHead = {
    type: entry.type === 'unknown' ? entry.name : entry.type,
    at: entry.at,
    id: entry.type === 'post' ? entry.id : null,
  };
  return { leaf, content, entry, head, post };
}

/** The agents and earlier posts that a page names. */
export function namedIn(leaves: readonly ParsedLeaf[]): {
  agents: string[];
  posts: number[];
} {
  const agents = new Set<string>();
  const posts = new Set<number>();
  for (const { entry, post } of leaves) {
    if (post !== null) {
      const { agent, parent } = post.statement;
      if (agent !== null) agents.add(agent);
      if (parent !== null) posts.add(parent.id);
    } else if (entry?.type === 'key') agents.add(entry.agent);
    else if (entry !== null && 'id' in entry) posts.add(entry.id);
  }
  return { agents: [...agents], posts: [...posts] };
}
