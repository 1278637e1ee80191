import { parseEntry, parseEntryHead } from '../../protocol/entry.js';
import { type FeedPage, verifyFeedPage } from '../../protocol/feed-page.js';
import { emptyFrontier, type Frontier } from '../../protocol/frontier.js';
import { openIdentity } from '../../protocol/identity.js';
import { FEED_ENTRIES } from '../../protocol/limits.js';
import { fetchPage } from '../pull/fetch/fetch-page.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import type { SeenMirror } from './find-mirrors.js';

/** The highest of what entries show; -1 of identities: none was seen. */
export type PastSeen = { lastMessageId: number; identitySeq: number };

type Parts = {
  client: PeerClient;
  signal: AbortSignal;
  onProgress: (size: number, of: number) => void;
};

/**
 * Reads what a mirror holds of a log beyond `known`, or all of it where the
 * mirror does not continue that, every page verified by the log's own key.
 * Null where it does not give whole what it shows.
 */
export async function seeAtMirror(
  parts: Parts,
  mirror: SeenMirror,
  known: Frontier | null,
): Promise<PastSeen | null> {
  if (known !== null && known.size >= mirror.size) return nothing();
  const beyond = known === null ? null : await walk(parts, mirror, known);
  return beyond ?? (await walk(parts, mirror, emptyFrontier()));
}

const nothing = (): PastSeen => ({ lastMessageId: 0, identitySeq: -1 });

async function walk(
  { client, signal, onProgress }: Parts,
  { source, size, vkey }: SeenMirror,
  begin: Frontier,
): Promise<PastSeen | null> {
  const seen = nothing();
  let frontier = begin;
  while (frontier.size < size) {
    const wish = {
      from: frontier.size,
      limit: FEED_ENTRIES,
      content: 'none' as const,
      wait: 0,
    };
    const page = await fetchPage(client, source, vkey, wish, signal);
    if (!page.ok || page.value.entries.length === 0) return null;
    const verified = verifyFeedPage(page.value, frontier, vkey);
    if (!verified.ok) return null;
    note(page.value, seen);
    frontier = verified.value.frontier;
    onProgress(frontier.size, size);
  }
  return seen;
}

function note({ entries }: FeedPage, seen: PastSeen): void {
  for (const { leaf } of entries) {
    const head = parseEntryHead(leaf);
    if (head?.type === 'post') {
      seen.lastMessageId = Math.max(seen.lastMessageId, head.id ?? 0);
    } else if (head?.type === 'board') {
      const entry = parseEntry(leaf);
      if (!entry.ok || entry.value.type !== 'board') continue;
      const identity = openIdentity(entry.value.embedded);
      if (!identity.ok) continue;
      seen.identitySeq = Math.max(seen.identitySeq, identity.value.seq);
    }
  }
}
