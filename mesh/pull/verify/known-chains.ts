import { LRUCache } from 'lru-cache';
import type { KeyChain } from '../../../protocol/key.js';
import type { PullStore } from '../store/pull-store.js';

const MOST = 5000;

/**
 * The key chains of one log that its worker has met lately. Whatever a page
 * changes is learnt after its commit; after any failure begin with a new one.
 */
export class Chains {
  private readonly kept = new LRUCache<string, KeyChain>({ max: MOST });

  /** Those of these agents that the log knows. */
  async of(
    store: PullStore,
    originId: number,
    agents: readonly string[],
  ): Promise<Map<string, KeyChain>> {
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
