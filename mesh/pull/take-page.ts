import { parseLogOrigin } from '../../protocol/board-name.js';
import type { VerifiedPage } from '../../protocol/feed-page.js';
import { frontierRoot } from '../../protocol/frontier.js';
import { formatVkey } from '../../protocol/vkey.js';
import { namedIn, type ParsedLeaf } from './fetch/parse-page.js';
import type { ReadyPage } from './fetch/ready-page.js';
import type { DurablePage } from './hooks.js';
import type { MirrorLog } from './mirror-log.js';
import type { PullParts } from './pull-parts.js';
import { headNote, isIndexedAtOnce } from './store/apply-page.js';
import { keepingOf, type PullPeer } from './store/pull-peer-row.js';
import type { PullStore } from './store/pull-store.js';
import { costOf, quotasOf, roomFor } from './store/usage.js';
import { judgePage } from './verify/judge-page.js';
import type { JudgedPage, PageFacts } from './verify/judged.js';
import type { Chains } from './verify/known-chains.js';

export type TakenPage = {
  log: MirrorLog;
  /** Where the page ended at its signed head. */
  durable: DurablePage | null;
  identities: string[];
  /** Its texts are findable already. */
  indexed: boolean;
};

export type PageTurn = {
  peer: PullPeer;
  log: MirrorLog;
  chains: Chains;
  fromOrigin: boolean;
  live: boolean;
};

/** How many entries may still be taken, where that is fewer than came. */
export type QuotaEnd = { room: number };

/**
 * Judges and stores a verified page that is not empty (spec/mesh.md §B7, steps
 * 5 and 6), unless a quota of the peer ends within it.
 */
export async function takePage(
  parts: PullParts,
  turn: PageTurn,
  { leaves, verify }: ReadyPage,
  verified: VerifiedPage,
): Promise<TakenPage | QuotaEnd> {
  const { store, clock } = parts;
  const { peer, log } = turn;
  const now = clock.now();
  const cost = costOf(leaves, now);
  const [used, known] = await Promise.all([
    store.usage(log.originId, now),
    knownOf(store, turn, leaves),
  ]);
  const quotas = quotasOf(peer, parts.limits, now);
  const room = roomFor(used, cost, quotas, leaves.length);
  if (room < leaves.length) return { room };
  const judged = judge(parts, turn, leaves, { ...known, verify });
  await store.adopt(judged.keySteps);
  const { keeps } = keepingOf(peer);
  const { fromOrigin, live } = turn;
  const grown = await store.apply({
    log,
    verified,
    judged,
    cost,
    fromOrigin,
    live,
    keeps,
  });
  turn.chains.learn(judged.chains);
  return {
    log: grown,
    durable: durableOf(grown, verified),
    identities: judged.identities,
    indexed: isIndexedAtOnce({ judged }),
  };
}

type Known = Pick<PageFacts, 'chains' | 'posts'>;

/** What the log holds of the agents and posts that a page names. */
async function knownOf(
  store: PullStore,
  { log: { originId }, chains }: PageTurn,
  leaves: readonly ParsedLeaf[],
): Promise<Known> {
  const named = namedIn(leaves);
  const [ofAgents, posts] = await Promise.all([
    chains.of(store, originId, named.agents),
    store.posts(originId, named.posts),
  ]);
  return { chains: ofAgents, posts };
}

function judge(
  { textRules }: PullParts,
  { peer, log }: PageTurn,
  leaves: readonly ParsedLeaf[],
  known: Known & Pick<PageFacts, 'verify'>,
): JudgedPage {
  return judgePage(leaves, {
    ...known,
    board: log.board,
    logVkey: formatVkey(log.logVkey),
    firstIndex: log.frontier.size,
    lastMessageId: log.lastMessageId,
    formerBelow: formerBelow(log, leaves),
    lastAt: log.lastAt,
    keeping: keepingOf(peer),
    textRules,
  });
}

/** Where a later generation's own IDs begin; 0 in the first one. */
function formerBelow(
  { origin, firstMessageId = 0 }: MirrorLog,
  leaves: readonly ParsedLeaf[],
): number {
  if (parseLogOrigin(origin)?.generation === 1) return 0;
  if (firstMessageId > 0) return firstMessageId;
  for (const { head } of leaves) {
    if (head?.type === 'post' && head.id !== null) return head.id;
  }
  return Number.MAX_SAFE_INTEGER;
}

export function durableOf(
  log: MirrorLog,
  verified: VerifiedPage,
): DurablePage | null {
  const { size } = log.frontier;
  if (size !== verified.checkpoint.size) return null;
  return {
    originId: log.originId,
    origin: log.origin,
    logVkey: formatVkey(log.logVkey),
    size,
    root: frontierRoot(log.frontier),
    checkpoint: headNote(verified, log),
  };
}
