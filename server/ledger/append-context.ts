import type { Entry } from '../../protocol/entry.js';
import { formatEntry } from '../../protocol/entry.js';
import { appendLeaf } from '../../protocol/frontier.js';
import { leafHash, type TreeNode } from '../../protocol/tree.js';
import type { Tx } from '../db/sql.js';
import type { Head, LeafRow, ReceiptRow } from './head.js';
import type { BatchState } from './joint.js';

/** What a signed head tells a receipt (spec/board.md §5.4, `log`). */
export type SignedHead = { origin: string; size: number; checkpoint: string };

type About = {
  messageId?: number;
  agentId?: string | null;
  messageHash?: Uint8Array;
};

/**
 * One job's time under the head lock. `now` is the clock read after the lock
 * (windows, deadlines, midnights); `at` never goes back (log and created_at).
 */
export class Turn {
  readonly leaves: LeafRow[] = [];
  readonly nodes: TreeNode[] = [];
  private readonly receiptsDue: ((head: SignedHead) => ReceiptRow)[] = [];

  constructor(
    readonly batch: BatchState,
    readonly head: Head,
    readonly now: number,
  ) {
    head.lastAt = Math.max(now, head.lastAt);
  }

  get tx(): Tx {
    return this.batch.tx;
  }

  get at(): number {
    return this.head.lastAt;
  }

  /** The next message id; a transaction that fails gives it back. */
  takeMessageId(): number {
    this.head.lastMessageId += 1;
    return this.head.lastMessageId;
  }

  /** Appends a leaf and answers its index. */
  append(entry: Entry, about: About = {}): number {
    const leaf = formatEntry(entry);
    const hash = leafHash(leaf);
    const index = this.head.frontier.size;
    const grown = appendLeaf(this.head.frontier, hash);
    this.head.frontier = grown.frontier;
    this.nodes.push(...grown.nodes);
    this.leaves.push({
      index,
      type: entry.type,
      messageId: about.messageId ?? null,
      agentId: about.agentId ?? null,
      messageHash: about.messageHash ?? null,
      leaf,
      leafHash: hash,
    });
    return index;
  }

  /** Says that this batch holds the message of a request_id. */
  claim(requestId: string): void {
    this.head.claimed.add(requestId);
  }

  /**
   * Whether this batch holds its message already. The receipt can be read only
   * once that is committed: the job has to answer LATER.
   */
  isClaimed(requestId: string): boolean {
    return this.head.claimed.has(requestId);
  }

  /** A receipt that needs the checkpoint of the batch it commits with. */
  onSigned(write: (head: SignedHead) => ReceiptRow): void {
    this.receiptsDue.push(write);
  }

  receipts(head: SignedHead): ReceiptRow[] {
    return this.receiptsDue.map((write) => write(head));
  }
}
