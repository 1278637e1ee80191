import { LRUCache } from 'lru-cache';
import { utf8 } from '../../../protocol/bytes.js';
import { readKeyNote } from '../../../protocol/entry.js';
import { chainVkey, currentSeq, type KeyChain } from '../../../protocol/key.js';
import { namedIn, type ParsedLeaf } from '../fetch/parse-page.js';
import type { PullStore } from '../store/pull-store.js';
import type { Triple } from './signature-triples.js';

const MOST = 5000;

/**
 * The keys that posts of coming pages are probably signed with. A guess only:
 * it runs ahead of what is stored, and the judge of a page asks again about
 * whatever was guessed wrong.
 */
export class ExpectedKeys {
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
