import type { Content } from '../protocol/content.js';
import type { Room } from '../protocol/room.js';
import type {
  MirroredNothing,
  MirroredThread,
  MirroredTopics,
  MirrorStatus,
} from '../server/http/openapi/mirrored.js';
import type {
  ThreadQuery,
  TopicsQuery,
} from '../server/http/openapi/read-queries.js';
import type { Receipt } from '../server/http/openapi/receipt.js';
import type { RelayPending, RelayState } from '../server/http/openapi/relay.js';
import type { CounterKeys } from '../server/http/rate-limits/network-keys.js';

/**
 * What operators do with peers, from the command line and the dashboard alike
 * (spec/mesh.md §B8, spec/board.md §14.5). The mesh implements it; `board.ts`
 * hands it in. Refusals are `BoardError`s: `invalid_input` with `field`,
 * `unknown_board`, `decision_conflict`, `origin_unreachable`,
 * `signature_invalid`, `message_not_found`.
 */
export type PeerDesk = {
  /** Every peer, blocked ones too, by name. */
  list(): Promise<PeerDetail[]>;
  /** One peer by its board name or its URL. */
  read(board: string): Promise<PeerDetail>;
  /**
   * Fetches the identity at `url`. The peer is pending, unless `confirm` is
   * the log vkey that the identity shows.
   */
  add(url: string, options?: AddOptions): Promise<PeerDetail>;
  /**
   * Pins the log vkey of a pending peer, or accepts a changed identity of a
   * known one: another address or a new generation of its log. Where none with
   * that key waits, the board is asked for the one it shows now.
   */
  confirm(
    board: string,
    logVkey: string,
    options?: ConfirmOptions,
  ): Promise<PeerDetail>;
  trust(board: string, change: TrustChange): Promise<PeerDetail>;
  limits(board: string, change: LimitsChange): Promise<PeerDetail>;
  /** No traffic, data kept. */
  pause(board: string): Promise<PeerDetail>;
  /** Ends pause, quarantine (equivocation is final), degradation, block. */
  resume(board: string): Promise<PeerDetail>;
  /** Ends all traffic and erases the mirror. */
  block(board: string, reason?: string): Promise<PeerDetail>;
  /** Hides one mirrored message here (451), or shows it again. */
  hide(
    board: string,
    id: number,
    options?: { reason?: string; undo?: boolean },
  ): Promise<{ board: string; id: number; hidden: boolean }>;
  exportPolicy(): Promise<PeerPolicy>;
  /** What the policy would change; `apply` changes it. */
  importPolicy(
    policy: unknown,
    options?: { apply?: boolean },
  ): Promise<PolicyDifference[]>;
};

export type PeerTrust = 'witness' | 'proofs' | 'mirror' | 'relay';
export type AddOptions = {
  confirm?: string;
  trust?: PeerTrust;
  content?: 'signed' | 'all';
};
/** The address that the operator saw: another one is refused. */
export type ConfirmOptions = { address?: string };
export type TrustChange = {
  trust?: PeerTrust;
  content?: 'signed' | 'all';
  decisions?: 'annotate' | 'follow';
};

/** Null goes back to the board's default. */
export type LimitsChange = {
  entries_day?: number | null;
  content_bytes_day?: number | null;
  backfill_bytes_hour?: number | null;
  /** False ends the first week's tenth of the quotas. */
  probation?: false;
};

/** A peer as `GET /api/mesh` shows it, and what only operators need. */
export type PeerDetail = {
  name: string;
  origin: string;
  base_url: string;
  log_vkey: string;
  mirror_vkey: string;
  trust: PeerTrust;
  status: string;
  remote_size: number;
  mirrored_size: number;
  lag_entries: number;
  lag_ms: number;
  apply_ms_p95: number | null;
  last_checkpoint: string | null;
  last_success_at: string | null;
  last_error: { code: string; at: string } | null;
  acked_size: number;
  invalid_entries: number;
  withheld_contents: number;
  evidence: string[];
  /** In force now, probation counted in. */
  limits: {
    entries_day: number;
    content_bytes_day: number;
    backfill_bytes_hour: number;
    probation_until: string | null;
  };
  last_attempt_at: string | null;
  retry_at: string | null;
  status_reason: string | null;
  content: 'signed' | 'all';
  decisions: 'annotate' | 'follow';
  /** The identity note that is pinned, and one that waits for `confirm`. */
  identity: string;
  pending_identity: string | null;
  /** Another address, which that one names; nothing is asked there yet. */
  pending_address: string | null;
  /** Whether the confirmed log key signed it; null where none waits. */
  pending_identity_signed: boolean | null;
};

export type PolicyPeer = {
  name: string;
  origin: string;
  base_url: string;
  log_vkey: string;
  state: 'pending' | 'active' | 'paused' | 'blocked';
  trust: PeerTrust;
  content: 'signed' | 'all';
  decisions: 'annotate' | 'follow';
  entries_day: number | null;
  content_bytes_day: number | null;
  backfill_bytes_hour: number | null;
};
export type PeerPolicy = {
  format: 'reserve-board/peer-policy/v1';
  board: string;
  exported_at: string;
  peers: PolicyPeer[];
};

/** One peer's difference; `changes` is empty for `same`. */
export type PolicyDifference = {
  name: string;
  action: 'add' | 'change' | 'same' | 'refused';
  changes: { field: string; from: unknown; to: unknown }[];
  detail?: string;
};

/** A board that this node mirrors, and how it stands with it. */
export type MirrorSummary = {
  name: string;
  origin: string;
  baseUrl: string;
  logVkey: string;
  trust: 'witness' | 'proofs' | 'mirror' | 'relay';
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
 * `query` holds the parameters of the JSON read of the same name
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
