import { boardAddress } from '../../protocol/address.js';
import { logOrigin, parseLogOrigin } from '../../protocol/board-name.js';
import { equalBytes } from '../../protocol/bytes.js';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import { type FeedPage, verifyFeedPage } from '../../protocol/feed-page.js';
import { FEED_ENTRIES } from '../../protocol/limits.js';
import {
  appendLeaf,
  type Frontier,
  frontierRoot,
  leafHash,
} from '../../protocol/tree.js';
import { accepted } from '../../protocol/verdict.js';
import type { Vkey } from '../../protocol/vkey.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { isLaterLog } from '../peers/adopt-identity.js';
import { fetchPage, type PageWish } from '../pull/fetch/fetch-page.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import type { PullSource } from '../pull/hooks.js';
import { mirrorPrefix } from '../pull/store/mirror-log.js';
import { listedAt } from '../witness/ask-peer.js';

/** With the log's key and the head shown under it. */
export type SeenMirror = {
  source: PullSource;
  size: number;
  root: Uint8Array;
  vkey: Vkey;
};

/** Longest first, with a signed head. `silent`: did not answer. */
export async function lookForMirrors(
  client: PeerClient,
  vkey: Vkey,
  urls: readonly string[],
): Promise<{ mirrors: SeenMirror[]; silent: string[] }> {
  const found = await Promise.all(urls.map((url) => look(client, vkey, url)));
  const mirrors = found
    .filter((mirror) => mirror !== null)
    .filter((mirror) => mirror !== 'silent')
    .sort((a, b) => b.size - a.size);
  return { mirrors, silent: urls.filter((_, at) => found[at] === 'silent') };
}

async function look(
  client: PeerClient,
  vkey: Vkey,
  url: string,
): Promise<SeenMirror | 'silent' | null> {
  const baseUrl = boardAddress(url);
  if (baseUrl === null) return null;
  const prefix = mirrorPrefix(vkey.name);
  const call = { maxBytes: 16_384 };
  const answer = await client.get(baseUrl, `${prefix}/checkpoint`, call);
  if (!answer.ok) return 'silent';
  const { status } = answer.value;
  if (status === 429 || status >= 500) return 'silent';
  if (status !== 200) return null;
  const opened = openCheckpoint(answer.value.body.toString('utf8'), vkey);
  if (!opened.ok) return null;
  const { size, root } = opened.value;
  return { source: { baseUrl, prefix }, size, root, vkey };
}

/**
 * The latest generation of the board's log that is mirrored under our own
 * signature, or null. Lists of boards are only hints (spec/mesh.md §B1, §B4).
 * @throws CommandFailure where a later one has a key that is not here: rotated
 *   keys are lost or not restored yet
 */
export async function newestLog(
  client: PeerClient,
  board: string,
  urls: readonly string[],
  vkeyOf: (origin: string) => Vkey,
): Promise<string | null> {
  const listed = await Promise.all(
    urls.map((url) => listedAt(client, url, board)),
  );
  const generations = new Map<number, string>();
  for (const log of listed) {
    const parsed = parseLogOrigin(log?.origin ?? '');
    if (log === null || parsed?.name !== board) continue;
    generations.set(parsed.generation, log.origin);
  }
  const latestFirst = [...generations].sort(([a], [b]) => b - a);
  for (const [, origin] of latestFirst) {
    const vkey = vkeyOf(origin);
    const { mirrors } = await lookForMirrors(client, vkey, urls);
    if (mirrors.length > 0) return origin;
    if (isLaterLog(origin, logOrigin(board))) throw unknownKey(origin);
  }
  return null;
}

function unknownKey(origin: string): CommandFailure {
  return new CommandFailure(
    `A board that was asked mirrors ${origin}, under a key that is not here. If a log key was rotated, put your copy of DATA_DIR/keys back, or restore a backup; if the key is lost, "reserve-board log new-generation" goes on. If that board lies, name others with --from.`,
  );
}

/** The next page after `frontier`, verified. */
export async function verifiedPage(
  client: PeerClient,
  { source, vkey: logVkey }: SeenMirror,
  frontier: Frontier,
  content: PageWish['content'],
) {
  const at = { source, logVkey, from: frontier.size };
  const wish = { ...at, limit: FEED_ENTRIES, content, wait: 0 };
  const page = await fetchPage(client, wish);
  if (!page.ok) return page;
  const verified = verifyFeedPage(page.value, frontier, logVkey);
  if (!verified.ok) return verified;
  return accepted({ page: page.value, verified: verified.value });
}

/**
 * Which of the mirrors' heads within a verified page are of its history, and
 * which of another one under the same key.
 * @param before the end of the log that the page continues
 */
export function headsWithin(
  mirrors: readonly SeenMirror[],
  before: Frontier,
  { entries }: Pick<FeedPage, 'entries'>,
): { same: SeenMirror[]; other: SeenMirror[] } {
  const end = before.size + entries.length;
  const heads = mirrors.filter(({ size }) => size > before.size && size <= end);
  const same: SeenMirror[] = [];
  const other: SeenMirror[] = [];
  if (heads.length === 0) return { same, other };
  let frontier = before;
  for (const { leaf } of entries) {
    frontier = appendLeaf(frontier, leafHash(leaf)).frontier;
    for (const head of heads) {
      if (head.size !== frontier.size) continue;
      const isSame = equalBytes(head.root, frontierRoot(frontier));
      (isSame ? same : other).push(head);
    }
  }
  return { same, other };
}
