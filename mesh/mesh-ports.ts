import { z } from 'zod';
import type { Content } from '../protocol/content.js';
import type { Room } from '../protocol/room.js';
import type { CounterKeys } from '../server/db/budgets.js';
import type { PeerContent, PeerTrust } from '../server/db/states.js';
import type {
  ThreadQuery,
  TopicsQuery,
} from '../server/http/openapi/parameters.js';
import type {
  Receipt,
  RelayPending,
  RelayReceipt,
  RelayState,
} from '../server/tickets/index.js';
import type {
  MirroredNothing,
  MirroredThread,
  MirroredTopics,
  MirrorStatus,
} from './boards/answers.js';
import {
  PEER_OPTIONS,
  type PeerOption,
  type PeerOptions,
  peerOptions,
} from './peer-port.js';

export type {
  MirroredItem,
  MirroredNothing,
  MirroredPollView,
  MirroredStub,
  MirroredThread,
  MirroredTopics,
} from './boards/answers.js';
export * from './peer-port.js';

/** Checks each of {@link PEER_OPTIONS}. */
export const optionSchemas = peerOptions((name) => {
  const { values, help } = PEER_OPTIONS[name];
  return z.enum(values as readonly string[]).describe(help);
}) as unknown as {
  [Name in PeerOption]: z.ZodType<PeerOptions[Name], PeerOptions[Name]>;
};

/** Those that are given. */
export const optionChanges = z.object(optionSchemas).partial().shape;

export type MirrorSummary = {
  name: string;
  origin: string;
  baseUrl: string;
  logVkey: string;
  trust: PeerTrust;
  content: PeerContent;
  status: MirrorStatus;
  reason: string | null;
  /** Verified entries, and known ones. */
  mirroredSize: number;
  remoteSize: number;
  lagMs: number | null;
  standstill: string | null;
  /** In ms; null before the first success. */
  lastSuccessAt: number | null;
  messages: number;
  /** As its document states (spec/mesh.md §B6); null without one. */
  level: number | null;
};

/** A mirrored message to report; texts that are not shown here are null. */
export type MirroredReported = {
  id: number;
  root_id: number;
  author: string | null;
  title: string | null;
  body: string | null;
  created_at: number;
};

/**
 * Implemented by the mesh for pages and reports (spec/mesh.md §B9). `query` as in
 * `/api/mesh/boards/{name}/threads` and `/thread/{id}`. Texts are untrusted and
 * not rendered.
 * @throws BoardError `unknown_board`, `thread_not_found`, `hidden_by_operator`,
 *   `invalid_input`; `message` also `message_not_found`, and it gives removed,
 *   withheld and hidden messages, too
 */
export type Mirrors = {
  boards(): Promise<MirrorSummary[]>;
  topics(name: string, query: TopicsQuery): Promise<MirroredTopics>;
  thread(
    name: string,
    id: number,
    query: ThreadQuery,
  ): Promise<MirroredThread | MirroredNothing>;
  /** `preview` in characters. */
  message(
    name: string,
    id: number,
    preview?: number,
  ): Promise<MirroredReported>;
};

export type RelayedRequest = {
  board: string;
  requestId: string;
  /** Content identity (spec/board.md §4.4). */
  contentHash: Buffer;
};

export type RelayedParent = {
  id: number;
  rootId: number;
  room: Room;
  messageHash: Uint8Array;
  removed: boolean;
};

/** From that board's funnel rule, at the last try. */
export type RelayedRouting = {
  phrase: string;
  reason: string;
  target: RelayedParent;
};

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
  /** Null where the mirror has no such message. */
  parent: RelayedParent | null;
  routing: RelayedRouting | null;
};

/** Checked, with a verified `note`. */
export type RelayedPost = RelayedRequest & {
  agentId: string;
  note: string;
  keySeq: number;
  messageHash: Buffer;
  content: Content;
  /** As submitted: a routed topic spends a topic, too. */
  isTopic: boolean;
  /** The preview to repeat, for a post with a poll. */
  again: Record<string, unknown> | null;
  replyTo: number | null;
  /** The statement's `at`, in ms. */
  datedAt: number;
  network: Uint8Array;
  counters: CounterKeys;
  /** Of the previewing network. */
  previewCounters: CounterKeys;
};

export type RelayedAnswer = (
  | { status: 200 | 201; body: Receipt }
  | { status: 202; body: RelayPending }
) & {
  /** True: it spent a write. */
  isNew?: boolean;
};

/** Posts to other boards (spec/mesh.md §B10); implemented by the mesh. */
export interface RelayPort {
  /** @throws BoardError `unknown_board`, `origin_unreachable`. */
  facts(request: RelayedRequest, replyTo: number | null): Promise<RelayedFacts>;

  /**
   * Null where it was never taken, or failed and may be tried again.
   * @throws BoardError `request_id_conflict`, and as `post`
   */
  again(request: RelayedRequest): Promise<RelayedAnswer | null>;

  /**
   * Waits up to 10 s for the answer.
   * @throws BoardError `unknown_board`, `origin_unreachable`,
   *   `origin_rejected`, `funnel_thread_changed`, `request_id_conflict`,
   *   `invalid_input` (reply_to), `rate_limited`, `topic_budget_exhausted`
   */
  post(post: RelayedPost): Promise<RelayedAnswer>;

  state(requestId: string): Promise<RelayState | null>;
}
