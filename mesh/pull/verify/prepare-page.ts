import { LRUCache } from 'lru-cache';
import {
  type EmbeddedPost,
  type Entry,
  type EntryHead,
  parseEntryHead,
  readKeyNote,
  readLeaf,
  type UnknownEntry,
} from '../../../protocol/entry.js';
import type { FeedEntry, FeedPage } from '../../../protocol/feed-page.js';
import { chainVkey, currentSeq, type Verifier } from '../../../protocol/key.js';
import { verifySignature } from '../../../protocol/signing.js';
import type { PullStore } from '../store/pull-store.js';
import { type JudgeAhead, knowing, type Triple } from './signature-pool.js';

/** Read once. `entry` null: unreadable. */
export type ParsedLeaf = {
  leaf: string;
  content: FeedEntry['content'];
  entry: Entry | UnknownEntry | null;
  /** Also of most unreadable leaves. */
  head: EntryHead | null;
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

export function namedIn(leaves: readonly ParsedLeaf[]) {
  const agents = new Set<string>();
  const posts = new Set<number>();
  const requests = new Set<string>();
  for (const { entry, post } of leaves) {
    if (post !== null) {
      const { agent, parent, request } = post.statement;
      if (agent !== null) {
        agents.add(agent);
        requests.add(request);
      }
      if (parent !== null) posts.add(parent.id);
    } else if (entry?.type === 'key') agents.add(entry.agent);
    else if (entry !== null && 'id' in entry) posts.add(entry.id);
  }
  return {
    agents: [...agents],
    posts: [...posts],
    requests: [...requests],
  };
}

/** With most of its signatures judged. */
export type ReadyPage = {
  page: FeedPage;
  leaves: ParsedLeaf[];
  verify: Verifier;
};

/** Not worth a thread. */
const FEW = 16;
/** Cached agents. */
const MOST = 5000;

/** Work that does not depend on the page's place. */
export class PagePreparer {
  /** Guessed keys of coming posts; wrong guesses are judged again. */
  private readonly keys = new LRUCache<string, Uint8Array>({ max: MOST });

  constructor(
    private readonly parts: {
      store: Pick<PullStore, 'chains'>;
      judgeAhead: JudgeAhead;
    },
    private readonly originId: number,
  ) {}

  /** Never rejects: failed work is repeated when storing. */
  async prepare(page: FeedPage): Promise<ReadyPage> {
    const leaves = page.entries.map(parseLeaf);
    const verify = await this.judge(leaves).catch(() => null);
    return { page, leaves, verify: verify ?? verifySignature };
  }

  private async judge(leaves: readonly ParsedLeaf[]): Promise<Verifier | null> {
    if (leaves.length < FEW) return null;
    const triples = await this.triplesOf(leaves);
    const good = await this.parts.judgeAhead(triples);
    return good === null ? null : knowing(triples, good);
  }

  /** With expected texts and keys. */
  private async triplesOf(leaves: readonly ParsedLeaf[]): Promise<Triple[]> {
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
        triples.push({ signature, message: post.bytes, key });
      }
    }
    return triples;
  }

  private async learn(agents: readonly string[]): Promise<void> {
    const unknown = agents.filter((agent) => !this.keys.has(agent));
    if (unknown.length === 0) return;
    const chains = await this.parts.store.chains(this.originId, unknown);
    for (const [agent, chain] of chains) {
      const key = chainVkey(chain, currentSeq(chain))?.publicKey;
      if (key !== undefined) this.keys.set(agent, key);
    }
  }
}
