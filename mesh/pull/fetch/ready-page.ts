import { LRUCache } from 'lru-cache';
import { utf8 } from '../../../protocol/bytes.js';
import { readKeyNote } from '../../../protocol/entry.js';
import type { FeedPage } from '../../../protocol/feed-page.js';
import {
  chainVkey,
  currentSeq,
  type KeyChain,
  type Verifier,
} from '../../../protocol/key.js';
import { verifySignature } from '../../../protocol/signing.js';
import type { PullStore } from '../store/pull-store.js';
import type { JudgeAhead } from '../verify/signature-pool.js';
import { knowing, type Triple } from '../verify/signature-triples.js';
import { namedIn, type ParsedLeaf, parseLeaf } from './parse-page.js';

/** A page, read, with the judgement of most of its signatures. */
export type ReadyPage = {
  page: FeedPage;
  leaves: ParsedLeaf[];
  verify: Verifier;
};

type PreparerParts = {
  store: Pick<PullStore, 'chains'>;
  judgeAhead: JudgeAhead;
};

/** Below it handing signatures to a thread gains nothing. */
const FEW = 16;

/** Does ahead whatever a page's place in its log has no say in. */
export class PagePreparer {
  private readonly expected: ExpectedKeys;

  constructor(
    private readonly parts: PreparerParts,
    originId: number,
  ) {
    this.expected = new ExpectedKeys(parts.store, originId);
  }

  /** Never rejects: what fails here is done again, or fails, in its turn. */
  async prepare(page: FeedPage): Promise<ReadyPage> {
    const leaves = page.entries.map(parseLeaf);
    const verify = await this.judge(leaves).catch(() => null);
    return { page, leaves, verify: verify ?? verifySignature };
  }

  private async judge(leaves: readonly ParsedLeaf[]): Promise<Verifier | null> {
    if (leaves.length < FEW) return null;
    const triples = await this.expected.triplesOf(leaves);
    const good = await this.parts.judgeAhead(triples);
    return good === null ? null : knowing(triples, good);
  }
}

const MOST = 5000;

/**
 * The keys that posts of coming pages are probably signed with. A guess only:
 * it runs ahead of what is stored, and the judge of a page asks again about
 * whatever was guessed wrong.
 */
class ExpectedKeys {
  private readonly keys = new LRUCache<string, Uint8Array>({ max: MOST });

  constructor(
    private readonly store: Pick<PullStore, 'chains'>,
    private readonly originId: number,
  ) {}

  /** The signatures of a page with what they should be of and under. */
  async triplesOf(leaves: readonly ParsedLeaf[]): Promise<Triple[]> {
    await this.learn(namedIn(leaves).agents);
    const triples: Triple[] = [];
    for (const { entry, post } of leaves) {
      if (entry?.type === 'key') {
        const note = readKeyNote(entry.embedded);
        if (note.ok) this.keys.set(entry.agent, note.value.event.key);
      }
      if (!post?.line) continue;
      const key = this.keys.get(post.line.name);
      const { signature } = post.line;
      if (key !== undefined) {
        triples.push({ signature, message: utf8(post.text), key });
      }
    }
    return triples;
  }

  private async learn(agents: readonly string[]): Promise<void> {
    const unknown = agents.filter((agent) => !this.keys.has(agent));
    if (unknown.length === 0) return;
    const chains = await this.store.chains(this.originId, unknown);
    for (const [agent, chain] of chains) {
      const key = currentKey(chain);
      if (key !== undefined) this.keys.set(agent, key);
    }
  }
}

function currentKey(chain: KeyChain): Uint8Array | undefined {
  return chainVkey(chain, currentSeq(chain))?.publicKey;
}
