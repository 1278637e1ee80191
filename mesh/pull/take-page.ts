import { LRUCache } from 'lru-cache';
import { parseLogOrigin } from '../../protocol/board-name.js';
import type { VerifiedPage } from '../../protocol/feed-page.js';
import type { KeyChain } from '../../protocol/key.js';
import { formatVkey } from '../../protocol/vkey.js';
import { type DurablePage, durableOf, type PullParts } from './hooks.js';
import { headNote, isIndexedAtOnce } from './store/apply-page.js';
import type { MirrorLog } from './store/mirror-log.js';
import {
  costOf,
  keepingOf,
  type PullPeer,
  quotasOf,
  roomFor,
} from './store/peer-rows.js';
import type { PullStore } from './store/pull-store.js';
import { judgePage } from './verify/judge-page.js';
import type { PageFacts } from './verify/judged.js';
import {
  namedIn,
  type ParsedLeaf,
  type ReadyPage,
} from './verify/prepare-page.js';

type TakenPage = {
  log: MirrorLog;
  /** At its signed head. */
  durable: DurablePage | null;
  identities: string[];
  /** Texts can be found already. */
  indexed: boolean;
};

/** With its log. */
type PulledPage = {
  peer: PullPeer;
  log: MirrorLog;
  chains: KnownChains;
  fromOrigin: boolean;
  live: boolean;
};

/** Fewer entries than came. */
type QuotaEnd = { room: number };

/** spec/mesh.md §B7, steps 5 and 6, unless a quota ends within the page. */
export async function takePage(
  parts: PullParts,
  pulled: PulledPage,
  { leaves, verify }: ReadyPage,
  verified: VerifiedPage,
): Promise<TakenPage | QuotaEnd> {
  const { store, clock } = parts;
  const { peer, log, fromOrigin, live } = pulled;
  const keeping = keepingOf(peer);
  const now = clock.now();
  const cost = costOf(leaves, now);
  const former = formerBelow(log, leaves);
  const [used, known] = await Promise.all([
    store.usage(log.originId, now),
    knownOf(store, pulled, leaves, former),
  ]);
  const quotas = quotasOf(peer, parts.limits, now);
  const room = roomFor(used, cost, quotas, leaves.length);
  if (room < leaves.length) return { room };
  const judged = judgePage(leaves, {
    ...known,
    verify,
    board: log.board,
    logVkey: formatVkey(log.logVkey),
    firstIndex: log.frontier.size,
    lastMessageId: log.lastMessageId,
    formerBelow: former,
    lastAt: log.lastAt,
    keeping,
    textRules: parts.textRules,
  });
  await store.adopt(log.originId, judged.keySteps);
  const { keeps } = keeping;
  const took = { log, verified, judged, cost, fromOrigin, live, keeps };
  const grown = await store.apply(took);
  pulled.chains.learn(judged.chains);
  return {
    log: grown,
    durable: reachedBy(grown, verified),
    identities: judged.identities,
    indexed: isIndexedAtOnce(judged),
  };
}

/** Agents and posts that the page names. */
async function knownOf(
  store: PullStore,
  { log: { originId, lastMessageId }, chains }: PulledPage,
  leaves: readonly ParsedLeaf[],
  former: number,
): Promise<Pick<PageFacts, 'chains' | 'posts' | 'requests'>> {
  const named = namedIn(leaves);
  // Without former generations nothing else has a higher id.
  const earlier = former === 0 ? lastMessageId : Infinity;
  const [ofAgents, posts, requests] = await Promise.all([
    chains.of(store, originId, named.agents),
    store.posts(
      originId,
      named.posts.filter((id) => id <= earlier),
    ),
    store.requests(originId, named.requests),
  ]);
  return { chains: ofAgents, posts, requests };
}

/** First own ID of a later generation; 0 in the first. */
export function formerBelow(
  { origin, firstMessageId = 0 }: Pick<MirrorLog, 'origin' | 'firstMessageId'>,
  leaves: readonly ParsedLeaf[],
): number {
  if (parseLogOrigin(origin)?.generation === 1) return 0;
  if (firstMessageId > 0) return firstMessageId;
  for (const { head } of leaves) {
    if (head?.type === 'post' && head.id !== null) return head.id;
  }
  return Number.MAX_SAFE_INTEGER;
}

function reachedBy(log: MirrorLog, verified: VerifiedPage): DurablePage | null {
  return log.frontier.size === verified.checkpoint.size
    ? durableOf(log, headNote(verified, log.logVkey))
    : null;
}

/** The peer answered. Returns what is durable; null for an empty log. */
export async function noteLevel(
  { store, clock }: PullParts,
  log: MirrorLog,
  verified: VerifiedPage,
  fromOrigin: boolean,
): Promise<DurablePage | null> {
  const { size } = verified.checkpoint;
  await store.note({
    originId: log.originId,
    fromOrigin,
    from: size,
    head: { size, note: headNote(verified, log.logVkey) },
    invalid: 0,
    skewed: false,
    applyMs: [],
    now: clock.now(),
  });
  return size === 0 ? null : reachedBy(log, verified);
}

const MOST = 5000;

/** Changes are added after the commit; after a failure make a new object. */
export class KnownChains {
  private readonly kept = new LRUCache<string, KeyChain>({ max: MOST });

  /** Known ones only. */
  async of(store: PullStore, originId: number, agents: readonly string[]) {
    const chains = new Map<string, KeyChain>();
    const unknown: string[] = [];
    for (const agent of agents) {
      const chain = this.kept.get(agent);
      if (chain === undefined) unknown.push(agent);
      else chains.set(agent, chain);
    }
    for (const [agent, chain] of await store.chains(originId, unknown)) {
      chains.set(agent, chain);
      this.kept.set(agent, chain);
    }
    return chains;
  }

  learn(changed: ReadonlyMap<string, KeyChain>): void {
    for (const [agent, chain] of changed) this.kept.set(agent, chain);
  }
}
