import { equalBytes } from '../../../protocol/bytes.js';
import {
  type DecisionEntry,
  type EmbeddedPost,
  type Entry,
  type KeyEntry,
  type PollEntry,
  type PostEntry,
  type RemoveEntry,
  readAnchor,
} from '../../../protocol/entry.js';
import type { FeedEntry } from '../../../protocol/feed-page.js';
import { openIdentity } from '../../../protocol/identity.js';
import { type KeyChain, stepKeyChain } from '../../../protocol/key.js';
import { judgePost, type PostFacts, wantedText } from './judge-post.js';
import {
  afterDecision,
  afterPollClose,
  afterRemoval,
  type EntryFault,
  entryRow,
  type JudgedEntry,
  type JudgedPage,
  type KnownPost,
  type MessageState,
  type NewPost,
  type PageFacts,
  requestOf,
} from './judged.js';
import type { ParsedLeaf } from './prepare-page.js';

/** In order (spec/mesh.md §B7, step 5). Pure: faults never stop the page. */
export function judgePage(
  leaves: readonly ParsedLeaf[],
  facts: PageFacts,
): JudgedPage {
  const judge = new Judge(facts);
  for (const [at, leaf] of leaves.entries()) {
    judge.take(leaf, facts.firstIndex + at);
  }
  return judge.page;
}

class Judge {
  readonly page: JudgedPage;
  private readonly fresh = new Map<number, NewPost>();
  private readonly ofPosts: PostFacts;

  constructor(private readonly facts: PageFacts) {
    this.ofPosts = {
      ...facts,
      chainOf: (agent) => this.chainOf(agent),
      postOf: (id) => this.postOf(id),
      isRepeated: (...said) => this.isRepeated(requestOf(...said)),
    };
    this.page = {
      entries: [],
      posts: [],
      requests: new Set(),
      changed: new Map(),
      keySteps: [],
      chains: new Map(),
      decisions: [],
      identities: [],
      lastMessageId: facts.lastMessageId,
      lastAt: facts.lastAt,
      latestAt: 0,
    };
  }

  take({ leaf, content, entry, head, post }: ParsedLeaf, index: number): void {
    const row = entryRow(index, head?.type ?? 'unreadable', leaf);
    this.page.entries.push(row);
    const late = entry !== null && entry.at < this.page.lastAt;
    // Unreadable entries have no time.
    this.page.latestAt = Math.max(this.page.latestAt, entry?.at ?? 0);
    this.page.lastAt = Math.max(this.page.lastAt, entry?.at ?? 0);
    if (entry === null) {
      row.fault = 'bad_entry';
      this.useUpId(row, head?.id ?? null);
    } else if (entry.type === 'post' && post !== null) {
      this.takePost(entry, post, row, content, late);
    } else if (late) row.fault = 'at_decreasing';
    else if (entry.type !== 'unknown') row.fault = this.judge(entry, row);
  }

  /** Invalid posts use up ids, too. */
  private useUpId(row: JudgedEntry, id: number | null): EntryFault | null {
    if (id === null) return null;
    const last = this.page.lastMessageId;
    this.page.lastMessageId = Math.max(last, id);
    if (id > last) row.messageId = id;
    return last === 0 || id === last + 1 ? null : 'wrong_id';
  }

  private takePost(
    entry: PostEntry,
    embedded: EmbeddedPost,
    row: JudgedEntry,
    content: FeedEntry['content'],
    late: boolean,
  ): void {
    const post = judgePost(entry, embedded, row.index, content, this.ofPosts);
    const place = this.useUpId(row, entry.id);
    row.fault = (late ? 'at_decreasing' : null) ?? place ?? post.fault;
    row.agentId = post.agentId;
    row.messageHash = post.hash;
    if (row.messageId === null) return; // another post has this id
    if (row.fault !== null) {
      post.fault = row.fault;
      post.state.status = 'invalid';
      post.content = null;
    }
    this.fresh.set(post.id, post);
    this.page.posts.push(post);
    if (post.agentId !== null && post.keySeq !== null) {
      this.page.requests.add(requestOf(post.agentId, post.request));
    }
  }

  private judge(entry: Entry, row: JudgedEntry): EntryFault | null {
    switch (entry.type) {
      case 'key':
        return this.takeKey(entry, row);
      case 'remove':
      case 'decision':
        return this.takeDecision(entry, row);
      case 'poll':
        return this.takePoll(entry, row);
      case 'board':
        return this.takeIdentity(entry.embedded);
      case 'anchor': {
        const anchor = readAnchor(entry.embedded);
        const own = `${this.facts.board}/mirror`;
        return anchor.ok && anchor.value.cosigner === own ? null : 'bad_anchor';
      }
      case 'evidence':
      case 'post':
        return null;
    }
  }

  private takeKey(entry: KeyEntry, row: JudgedEntry): EntryFault | null {
    row.agentId = entry.agent;
    const stepped = stepKeyChain(this.chainOf(entry.agent), entry.embedded);
    if (!stepped.ok) return stepped.reason;
    const step = stepped.value;
    if (step.kind === 'repeat') return null;
    this.page.chains.set(entry.agent, step.chain);
    this.page.keySteps.push({ index: row.index, at: entry.at, step });
    return null;
  }

  private takeDecision(entry: RemoveEntry | DecisionEntry, row: JudgedEntry) {
    const post = this.postOf(entry.id);
    if (this.isUnknownFormer(entry.id)) return null;
    if (post === undefined || !equalBytes(post.hash, entry.target)) {
      return 'wrong_target';
    }
    row.messageId = entry.id;
    this.page.decisions.push({ index: row.index, entry });
    this.change(
      post,
      entry.type === 'remove'
        ? afterRemoval(post.state, entry, row.index)
        : afterDecision(
            post.state,
            entry,
            row.index,
            wantedText(post.agentId, this.facts.keeping),
          ),
    );
    return null;
  }

  private takePoll(entry: PollEntry, row: JudgedEntry): EntryFault | null {
    const post = this.postOf(entry.id);
    if (this.isUnknownFormer(entry.id)) return null;
    if (post === undefined || post.pollId !== entry.poll) return 'wrong_poll';
    row.messageId = entry.id;
    this.change(post, afterPollClose(post.state, entry, row.index));
    return null;
  }

  /** Of a former generation that is not mirrored. */
  private isUnknownFormer(id: number): boolean {
    return id < (this.facts.formerBelow ?? 0) && this.postOf(id) === undefined;
  }

  private takeIdentity(note: string): EntryFault | null {
    const opened = openIdentity(note);
    if (!opened.ok) return 'bad_identity';
    const { name, log } = opened.value;
    if (name !== this.facts.board || log !== this.facts.logVkey) {
      return 'bad_identity';
    }
    this.page.identities.push(note);
    return null;
  }

  private change(post: KnownPost, state: MessageState): void {
    const fresh = this.fresh.get(post.id);
    if (fresh !== undefined) {
      fresh.state = state;
      if (state.status !== 'ok') fresh.content = null;
    } else this.page.changed.set(post.id, { ...post, state });
  }

  private chainOf(agent: string): KeyChain | null {
    return this.page.chains.get(agent) ?? this.facts.chains.get(agent) ?? null;
  }

  private isRepeated(request: string): boolean {
    const { page, facts } = this;
    return page.requests.has(request) || facts.requests.has(request);
  }

  private postOf(id: number): KnownPost | undefined {
    return (
      this.fresh.get(id) ??
      this.page.changed.get(id) ??
      this.facts.posts.get(id)
    );
  }
}
