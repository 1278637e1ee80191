import { LRUCache } from 'lru-cache';
import { utf8 } from '../../../protocol/bytes.js';
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

/** A leaf of the page, read once. `entry` is null where it is unreadable. */
export type ParsedLeaf = {
  leaf: string;
  content: FeedEntry['content'];
  entry: Entry | UnknownEntry | null;
  /** Type, time and id, also of most leaves that are no entry. */
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

export function namedIn(leaves: readonly ParsedLeaf[]): {
  agents: string[];
  posts: number[];
  requests: string[];
} {
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

/** A page, read, with the judgement of most of its signatures. */
export type ReadyPage = {
  page: FeedPage;
  leaves: ParsedLeaf[];
  verify: Verifier;
};

/** Fewer signatures gain nothing from a thread. */
const FEW = 16;
/** Agents whose expected keys are kept. */
const MOST = 5000;

/** Does ahead what does not depend on a page's place in its log. */
export class PagePreparer {
  /**
   * The keys that posts of coming pages are probably signed with. A guess only:
   * it runs ahead of what is stored, and the judge of a page judges again what
   * was guessed wrong.
   */
  private readonly keys = new LRUCache<string, Uint8Array>({ max: MOST });

  constructor(
    private readonly parts: {
      store: Pick<PullStore, 'chains'>;
      judgeAhead: JudgeAhead;
    },
    private readonly originId: number,
  ) {}

  /** Never rejects: what fails here is done again when the page is stored. */
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

  /** The signatures of a page with what they should be of and under. */
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
        triples.push({ signature, message: utf8(post.text), key });
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
