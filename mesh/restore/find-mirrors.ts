import { parseLogOrigin } from '../../protocol/board-name.js';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import {
  type FeedPage,
  type FeedRefusal,
  type VerifiedPage,
  verifyFeedPage,
} from '../../protocol/feed-page.js';
import { FEED_ENTRIES } from '../../protocol/limits.js';
import type { Frontier } from '../../protocol/tree.js';
import { accepted, type Verdict } from '../../protocol/verdict.js';
import type { Vkey } from '../../protocol/vkey.js';
import { BoardError } from '../../server/errors.js';
import {
  type FetchFault,
  fetchPage,
  type PageWish,
} from '../pull/fetch/fetch-page.js';
import { originOfUrl } from '../pull/fetch/peer-address.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import type { PullSource } from '../pull/hooks.js';
import { mirrorPrefix } from '../pull/store/mirror-log.js';
import { listedAt } from '../witness/ask-peer.js';

/** A mirror of our own log, and the head it shows under our signature. */
export type OwnMirror = { source: PullSource; size: number; root: Uint8Array };

/** A mirror of a log, and the key by which its pages are verified. */
export type SeenMirror = OwnMirror & { vkey: Vkey };

type Parts = { client: PeerClient; signal: AbortSignal };

/**
 * The mirrors of our own log at these addresses, the longest first; those
 * that do not answer, or show nothing that our key signed, are left out.
 */
export async function findMirrors(
  parts: Parts,
  vkey: Vkey,
  urls: readonly string[],
): Promise<SeenMirror[]> {
  const mirrors = await lookForMirrors(parts, vkey, urls);
  if (mirrors.length > 0) return mirrors;
  throw new BoardError(
    'origin_unreachable',
    `None of ${urls.length} boards shows a mirror of ${vkey.name} under this board's own signature; name others with --from.`,
  );
}

/** The same for any log by its vkey, and where there is none an empty list. */
export async function lookForMirrors(
  parts: Parts,
  vkey: Vkey,
  urls: readonly string[],
): Promise<SeenMirror[]> {
  const found = await Promise.all(urls.map((url) => look(parts, vkey, url)));
  const mirrors = found.filter((mirror) => mirror !== null);
  return mirrors.sort((a, b) => b.size - a.size);
}

async function look(
  { client, signal }: Parts,
  vkey: Vkey,
  url: string,
): Promise<SeenMirror | null> {
  const baseUrl = originOfUrl(url);
  if (baseUrl === null) return null;
  const prefix = mirrorPrefix(vkey.name);
  const call = { signal, maxWireBytes: 16_384, maxInflatedBytes: 16_384 };
  const answer = await client.get(baseUrl, `${prefix}/checkpoint`, call);
  if (!answer.ok || answer.value.status !== 200) return null;
  const opened = openCheckpoint(answer.value.body.toString('utf8'), vkey);
  if (!opened.ok) return null;
  const { size, root } = opened.value;
  return { source: { baseUrl, prefix }, size, root, vkey };
}

/**
 * The origin of the latest generation of the board's log that these boards
 * mirror under our own signature; null where they mirror none. What they list
 * is only a hint of where to look: a generation counts by a head that our key
 * signed (spec/mesh.md §B1, §B4).
 */
export async function newestLog(
  parts: Parts,
  board: string,
  urls: readonly string[],
  vkeyOf: (origin: string) => Vkey,
): Promise<string | null> {
  const { client, signal } = parts;
  const listed = await Promise.all(
    urls.map((url) => listedAt(client, url, board, signal)),
  );
  const generations = new Map<number, string>();
  for (const log of listed) {
    const parsed = parseLogOrigin(log?.origin ?? '');
    if (log === null || parsed?.name !== board) continue;
    generations.set(parsed.generation, log.origin);
  }
  const latestFirst = [...generations].sort(([a], [b]) => b - a);
  for (const [, origin] of latestFirst) {
    const mirrors = await lookForMirrors(parts, vkeyOf(origin), urls);
    if (mirrors.length > 0) return origin;
  }
  return null;
}

type At = Parts & { source: PullSource; vkey: Vkey };

/** The page of a mirror that continues `frontier`, verified. */
export async function verifiedPage(
  { client, source, vkey, signal }: At,
  frontier: Frontier,
  content: PageWish['content'],
): Promise<
  Verdict<{ page: FeedPage; verified: VerifiedPage }, FetchFault | FeedRefusal>
> {
  const wish = { from: frontier.size, limit: FEED_ENTRIES, content, wait: 0 };
  const page = await fetchPage(client, source, vkey, wish, signal);
  if (!page.ok) return page;
  const verified = verifyFeedPage(page.value, frontier, vkey);
  if (!verified.ok) return verified;
  return accepted({ page: page.value, verified: verified.value });
}
