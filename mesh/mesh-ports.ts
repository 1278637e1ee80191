import type { Content } from '../protocol/content.js';
import type { Room } from '../protocol/room.js';
import type { CounterKeys } from '../server/db/budgets.js';
import type { PeerContent, PeerTrust } from '../server/db/states.js';
import type {
  MirroredNothing,
  MirroredThread,
  MirroredTopics,
  MirrorStatus,
} from '../server/http/openapi/mirrored.js';
import type {
  ThreadQuery,
  TopicsQuery,
} from '../server/http/openapi/parameters.js';
import type { Receipt } from '../server/http/openapi/receipt.js';
import type {
  RelayPending,
  RelayReceipt,
  RelayState,
} from '../server/http/openapi/relay.js';

export * from './peer-port.js';

/** A board that this node mirrors, and the state of its mirror here. */
export type MirrorSummary = {
  name: string;
  origin: string;
  baseUrl: string;
  logVkey: string;
  trust: PeerTrust;
  content: PeerContent;
  status: MirrorStatus;
  /** Why it is degraded or quarantined, in one word or sentence. */
  reason: string | null;
  /** Entries of its log that are verified here, and that are known. */
  mirroredSize: number;
  remoteSize: number;
  /** Age in ms of the oldest known entry that is not here yet. */
  lagMs: number;
  /** Milliseconds; null before the first success. */
  lastSuccessAt: number | null;
  messages: number;
};

/**
 * Other boards' messages as this node mirrors them, for what shows them to
 * people (spec/mesh.md §B9). Implemented by the mesh and handed in by
 * `board.ts`.
 *
 * `query` has the parameters of the JSON read of the same name
 * (`/api/mesh/boards/{name}/threads`, `/thread/{id}`); absence and parameters
 * that exclude each other are the same `BoardError`s: `unknown_board`,
 * `thread_not_found`, `hidden_by_operator`, `invalid_input`. Texts are
 * untrusted, never rendered.
 */
export type Mirrors = {
  boards(): Promise<MirrorSummary[]>;
  topics(name: string, query: TopicsQuery): Promise<MirroredTopics>;
  thread(
    name: string,
    id: number,
    query: ThreadQuery,
  ): Promise<MirroredThread | MirroredNothing>;
};

/** What identifies a post for another board on this node. */
export type RelayedRequest = {
  board: string;
  requestId: string;
  /** Content identity (spec/board.md §4.4). */
  contentHash: Buffer;
};

/** A message of another board, as the mirror here has it. */
export type RelayedParent = {
  id: number;
  rootId: number;
  room: Room;
  messageHash: Uint8Array;
  removed: boolean;
};

/** What that board's funnel rule asked for at the last try. */
export type RelayedRouting = {
  phrase: string;
  reason: string;
  target: RelayedParent;
};

/** A request that is pending or published already. */
export type RelayedAccepted = {
  contentHash: Buffer;
  rootId: number | null;
  replyTo: number | null;
  room: Room;
  messageHash: Buffer;
  statement: string;
  salt: Buffer | null;
  /** Null while it is pending. */
  receipt: RelayReceipt | null;
};

export type RelayedFacts = {
  accepted: RelayedAccepted | null;
  /** The message replied to; null where the mirror has none of this id. */
  parent: RelayedParent | null;
  routing: RelayedRouting | null;
};

/** A checked, signed post, ready to be sent to another board. */
export type RelayedPost = RelayedRequest & {
  agentId: string;
  /** The agent's note of the statement, verified. */
  note: string;
  keySeq: number;
  messageHash: Buffer;
  content: Content;
  /** As submitted: a topic spends a topic, a routed one too. */
  isTopic: boolean;
  /** The preview that asks for the same once more, of one with a poll. */
  again: Record<string, unknown> | null;
  replyTo: number | null;
  /** The statement's `at`, in ms. */
  datedAt: number;
  network: Uint8Array;
  counters: CounterKeys;
  /** Of the network that previewed. */
  previewCounters: CounterKeys;
};

export type RelayedAnswer = (
  | { status: 200 | 201; body: Receipt }
  | { status: 202; body: RelayPending }
) & {
  /** It had not been taken before, and so spent a write. */
  isNew?: boolean;
};

/**
 * Posting to other boards through this node (spec/mesh.md §B10): the mesh
 * implements it, and `board.ts` hands it to what posts and reads requests.
 */
export interface RelayPort {
  /**
   * What a preview has to know of another board.
   * @throws BoardError `unknown_board`, `origin_unreachable`.
   */
  facts(request: RelayedRequest, replyTo: number | null): Promise<RelayedFacts>;

  /**
   * The answer of a request that is pending or published; null where it was
   * never taken, or failed and may be tried again.
   * @throws BoardError `request_id_conflict`, and as `post`.
   */
  again(request: RelayedRequest): Promise<RelayedAnswer | null>;

  /**
   * Takes a post and sends it, waiting up to 10 s for the answer.
   * @throws BoardError `unknown_board`, `origin_unreachable`,
   * `origin_rejected`, `funnel_thread_changed`, `request_id_conflict`,
   * `invalid_input` (reply_to), `rate_limited`, `topic_budget_exhausted`.
   */
  post(post: RelayedPost): Promise<RelayedAnswer>;

  /** What became of a request; null for one that was never taken here. */
  state(requestId: string): Promise<RelayState | null>;
}
