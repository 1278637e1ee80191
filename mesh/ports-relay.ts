import type { Content } from '../protocol/content.js';
import type { Room } from '../protocol/room.js';
import type { CounterKeys } from '../server/http/rate-limits/network-keys.js';
import type { Receipt } from '../server/http/openapi/receipt.js';
import type { RelayPending, RelayState } from '../server/http/openapi/relay.js';

/** What identifies a post for another board on this node. */
export type ForeignRequest = {
  board: string;
  requestId: string;
  /** Content identity (spec/board.md §4.4). */
  contentHash: Buffer;
};

/** A message of another board, as the mirror here holds it. */
export type ForeignParent = {
  id: number;
  rootId: number;
  room: Room;
  messageHash: Uint8Array;
  removed: boolean;
};

/** What that board's funnel rule asked for at the last try. */
export type ForeignRouting = {
  phrase: string;
  reason: string;
  target: ForeignParent;
};

/** A request that is pending or published already. */
export type ForeignAccepted = {
  contentHash: Buffer;
  rootId: number | null;
  replyTo: number | null;
  room: Room;
  messageHash: Buffer;
  statement: string;
  salt: Buffer | null;
};

export type ForeignFacts = {
  accepted: ForeignAccepted | null;
  /** The message replied to; null where the mirror has none of this id. */
  parent: ForeignParent | null;
  routing: ForeignRouting | null;
};

/** A checked, signed post, ready to be handed to another board. */
export type ForeignPost = ForeignRequest & {
  agentId: string;
  /** The agent's note of the statement, verified. */
  note: string;
  keySeq: number;
  messageHash: Buffer;
  content: Content;
  /** As submitted: a topic spends a topic, a routed one too. */
  isTopic: boolean;
  replyTo: number | null;
  /** The statement's `at`, in ms. */
  datedAt: number;
  network: Uint8Array;
  counters: CounterKeys;
  /** Of the network that previewed. */
  previewCounters: CounterKeys;
};

export type ForeignAnswer =
  | { status: 200 | 201; body: Receipt }
  | { status: 202; body: RelayPending };

/**
 * Posting to other boards through this node (spec/mesh.md §B10): the mesh
 * implements it, and `board.ts` hands it to what posts and reads requests.
 */
export interface OtherBoards {
  /**
   * What a preview has to know of another board.
   * @throws BoardError `unknown_board`, `origin_unreachable`.
   */
  facts(request: ForeignRequest, replyTo: number | null): Promise<ForeignFacts>;

  /**
   * The answer of a request that is pending or published; null where it was
   * never taken, or failed and may be tried again.
   * @throws BoardError `request_id_conflict`, and as `post`.
   */
  again(request: ForeignRequest): Promise<ForeignAnswer | null>;

  /**
   * Takes a post and hands it over, waiting up to 10 s for the answer.
   * @throws BoardError `unknown_board`, `origin_unreachable`,
   * `origin_rejected`, `funnel_thread_changed`, `request_id_conflict`,
   * `invalid_input` (reply_to), `rate_limited`, `topic_budget_exhausted`.
   */
  post(post: ForeignPost): Promise<ForeignAnswer>;

  /** What became of a request; null for one that was never taken here. */
  state(requestId: string): Promise<RelayState | null>;
}
