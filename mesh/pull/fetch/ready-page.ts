import type { FeedPage } from '../../../protocol/feed-page.js';
import type { Verifier } from '../../../protocol/key.js';
import { verifySignature } from '../../../protocol/signing.js';
import { ExpectedKeys } from '../verify/expected-keys.js';
import { type ParsedLeaf, parseLeaf } from './parse-page.js';
import type { PullStore } from '../store/pull-store.js';
import type { JudgeAhead } from '../verify/signature-pool.js';
import { knowing } from '../verify/signature-triples.js';

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
