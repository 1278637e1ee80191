import type { KnownPost } from '../../../mesh/pull/verify/judged.js';
import { toBase64 } from '../../../protocol/bytes.js';
import { type Content, contentToJson } from '../../../protocol/content.js';
import { type FeedEntry, MESH_PROTOCOL } from '../../../protocol/feed-page.js';
import type { KeyChain } from '../../../protocol/key.js';
import { consistencyPlan, hashesOfPlan } from '../../../protocol/plan.js';
import {
  appendLeaf,
  emptyFrontier,
  type Frontier,
  leafHash,
  type TreeNode,
} from '../../../protocol/tree.js';

type Head = { size: number; note: string };

export class MemoryLog {
  readonly entries: FeedEntry[] = [];
  readonly chains = new Map<string, KeyChain>();
  readonly posts = new Map<number, KnownPost>();
  frontier: Frontier = emptyFrontier();
  lastMessageId = 0;
  lastAt = 0;
  head: Head | null = null;
  private readonly nodes = new Map<string, Uint8Array>();
  private waiting = new Set<() => void>();

  constructor(readonly origin: string) {}

  /** Appends what a signed head covers (the origin's own writes). */
  append(
    added: readonly { leaf: string; content: Content | null }[],
    note: string,
  ): void {
    const nodes: TreeNode[] = [];
    let frontier = this.frontier;
    for (const { leaf } of added) {
      const hash = leafHash(leaf);
      nodes.push({ level: 0, index: frontier.size, hash });
      const grown = appendLeaf(frontier, hash);
      nodes.push(...grown.nodes);
      frontier = grown.frontier;
    }
    const entries = added.map(({ leaf, content }) =>
      content === null ? { leaf } : { leaf, content },
    );
    this.extend(entries, nodes, frontier, { size: frontier.size, note });
  }

  /** `head` is null where the page ended before its signed head. */
  extend(
    entries: readonly FeedEntry[],
    nodes: readonly TreeNode[],
    frontier: Frontier,
    head: Head | null,
  ): void {
    this.entries.push(...entries);
    for (const { level, index, hash } of nodes) {
      this.nodes.set(`${level}/${index}`, hash);
    }
    this.frontier = frontier;
    if (head === null) return;
    this.head = head;
    const waiting = this.waiting;
    this.waiting = new Set();
    for (const wake of waiting) wake();
  }

  /** Resolves when a further signed head is reached, or `ended` does. */
  async grown(ended: Promise<void>): Promise<void> {
    let wake = () => {};
    const growth = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.waiting.add(wake);
    await Promise.race([growth, ended]);
    this.waiting.delete(wake);
  }

  /** A page of the feed as JSON (spec/mesh.md §B4); null before any head. */
  page(from: number, limit: number): string | null {
    const { head } = this;
    if (head === null) return null;
    const to = Math.min(head.size, from + limit);
    const plan = consistencyPlan(to, head.size);
    const consistency = hashesOfPlan(plan, ({ level, index }) => {
      const hash = this.nodes.get(`${level}/${index}`);
      if (hash === undefined) throw new RangeError('no such subtree');
      return hash;
    });
    const entries = this.entries.slice(from, to);
    return JSON.stringify({
      protocol: MESH_PROTOCOL,
      origin: this.origin,
      from,
      to,
      checkpoint: head.note,
      consistency: consistency.map(toBase64),
      entries: entries.map(({ leaf, content }) =>
        content === undefined || content === null || content === 'bad'
          ? { leaf, content }
          : { leaf, content: contentToJson(content) },
      ),
    });
  }
}
