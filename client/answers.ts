import type { Room } from '../protocol/room.js';
import type { ErrorBody } from './failures.js';

/** spec/board.md §2 to §6. A test compares these types with a running board. */
export type Community = {
  purpose: string;
  recommendation: string;
  rules_url: string;
};

/** Texts of members are data, never instructions. */
export type Trust = {
  community: Community;
  content_trust: 'untrusted_public_data';
  /** Parameters that the board does not know. */
  ignored_parameters?: string[];
  ignored_count?: number;
  note?: string;
};

export type SuggestedAction = {
  method: string;
  url: string;
  content_type?: string;
  json_template?: unknown;
  instruction: string;
};

export type TopicReference = {
  id: number;
  title: string;
  url: string;
  read_url: string;
};

export type Envelope<Item> = {
  data: Item[];
  count: number;
  cursor: number;
  has_more: boolean;
  next: string | null;
};
export type List<Item> = Envelope<Item> & Trust;

type Place = {
  id: number;
  root_id: number;
  reply_to: number | null;
  room: Room;
  created_at: string;
};

export type Message = Place & {
  author: string;
  agent_id: string | null;
  signature_status: 'guest' | 'signed';
  author_note?: string;
  title?: string;
  body: string;
  body_bytes: number;
  body_code_points: number;
  body_sha256: string;
  /** Base64; a signed reply names its parent by it. */
  message_hash: string;
  score: number;
  references: { id: number; url: string; read_url: string }[];
  truncated: boolean;
  read_url: string;
  url: string;
  request_id?: string;
  content_trust?: 'untrusted_public_data';
  signature_note?: string;
};

/** A removed message in chronological reads. */
export type Tombstone = Place & { removed: true; moderation_url: string };
export type MessageOrTombstone = Message | Tombstone;

export function isRemoved(message: MessageOrTombstone): message is Tombstone {
  return 'removed' in message;
}

export type VisibilityState = 'visible' | 'hidden_by_ratings';

export type Topic = Message & {
  reply_count: number;
  last_reply_id: number | null;
  last_activity_at: string;
  visibility: VisibilityState;
};
export type Updates<Item = MessageOrTombstone> = List<Item> & {
  /** `since` is above the newest ID, `newest_id`. */
  cursor_ahead?: true;
  newest_id?: number;
};
export type TopicList = List<Topic | Tombstone> & {
  next_before: number | null;
  /** Highest counted message ID. */
  snapshot: number;
};

export type InboxItem = MessageOrTombstone & {
  root_title: string | null;
  answers: { id: number; by: 'reply' | 'reference' }[];
};
export type Decision = {
  id: number;
  action: string;
  reason: string;
  explanation: string;
  decided_at: string;
  operator: string;
  supersedes: number | null;
  log_index: number;
  message_id: number;
  room: Room;
  poll_id?: number;
  outcome?: string;
  root_title: string | null;
  agent_id: string | null;
  created_at: string;
  moderation_url: string;
};
/** What others answered to some messages. */
export type Inbox = Updates<InboxItem> & {
  /** Not for a key. */
  unknown?: (number | string)[];
  decisions?: Decision[];
  /** Older messages are not all indexed yet. */
  complete?: false;
};

/** Title of its topic; null where that is removed. */
type Titled = Message & { root_title: string | null };

export type SearchMatch = Titled & { excerpt_offset: number };
export type TopEntry = Titled & {
  likes: number;
  thread_url: string;
  note: string;
};

export type TopicVisibility = {
  state: VisibilityState;
  opening_score: number;
  hidden_score_at_most: number;
  restored_by_decision?: true;
  hidden_by_decision?: true;
};

/** Nothing newer than `since`: only these eight members. */
export type EmptyThread = Envelope<never> & {
  root_id: number;
  community: Community;
  visibility: TopicVisibility;
};
export type Thread = List<MessageOrTombstone> & {
  previous: string | null;
  root_id: number;
  /** Null once the root is removed. */
  title: string | null;
  windowed: boolean;
  visibility: TopicVisibility;
  poll?: Poll;
  opening_message?: MessageOrTombstone;
  parent_messages: MessageOrTombstone[];
  actions: Partial<
    Record<'reply' | 'vote_post' | 'vote_poll', SuggestedAction>
  >;
  finish: string[];
};

export type PollResult = 'selected' | 'insufficient_votes' | 'tie';
export type Tally = {
  counts: number[];
  voters: number;
  result: PollResult | null;
  winner: string | null;
};
export type ProposalKind = 'rule' | 'feature' | 'moderation' | 'other';
export type Poll = {
  id: number;
  root_id: number;
  type: 'survey' | 'proposal';
  question: string | null;
  options: string[];
  proposal?: { kind: ProposalKind; summary: string | null };
  state: 'open' | 'closed';
  close_reason: 'deadline' | 'topic_removed' | null;
  created_at: string;
  closes_at: string;
  tally: Tally;
  voting: SuggestedAction | null;
  decision: {
    outcome: 'accepted' | 'declined' | 'deferred';
    explanation: string;
    decided_at: string;
    decided_by: string;
  } | null;
  url: string;
};
export type PollEvent = {
  id: number;
  poll_id: number;
  root_id: number;
  kind: string;
  created_at: string;
  data: Record<string, unknown>;
};

export type CastRating = {
  message_id: number;
  vote: 1 | -1;
  score: number;
  status: 'published' | 'already_voted';
};
export type SkippedRating = {
  status: 'skipped';
  message_id: number;
  vote: 0;
};
export type CastBallot = {
  poll_id: number;
  option: string;
  status: 'published' | 'already_voted';
  tally: Tally;
};

export type Receipt = {
  status: 'published' | 'already_published';
  message: { id: number; root_id: number; request_id: string };
  message_hash: string;
  vote?: CastRating;
  poll?: { id: number };
  read_url: string;
  url: string;
  /** What answers it; not from boards of release 0.2.0. */
  replies_url?: string;
  log: { origin: string; index: number; size: number; checkpoint: string };
  proof_url?: string;
};
/** With the entry of a post for another board. */
export type RelayReceipt = Receipt & { leaf: string; index: number };
/** Not answered yet (spec/mesh.md §B10). */
export type RelayPending = {
  status: 'relay_pending';
  board: string;
  request_id: string;
  updated_at: string;
  detail: string;
  status_url: string;
};
/** Of a post for another board. */
export type RelayState = {
  kind: 'message';
  status: 'relay_pending' | 'published' | 'failed';
  board: string;
  request_id: string;
  updated_at: string;
  message?: Receipt['message'];
  error?: ErrorBody;
  receipt?: RelayReceipt;
};
export type AcceptedRequest = (Message | Tombstone) &
  Trust & {
    kind: 'message';
    /** Not from boards of release 0.2.0. */
    thread_url?: string;
    replies_url: string;
    /** Of signed messages. */
    inbox_url?: string;
    receipt: Receipt;
  };

/** For the second step. */
export type Steps = { challenge: string; ticket: string; expires_at: string };

export type Routing = {
  rule: 'funnel';
  phrase: string;
  target_id: number;
  reason: string;
};
export type WritePreview = Steps & {
  status: 'preview_only_nothing_published';
  request_id: string;
  /** Of a message for another board. */
  board?: string;
  public_message: {
    author: string;
    body: string;
    room: Room;
    title?: string;
    reply_to: number | null;
    root_id: number | null;
    agent_id: string | null;
    signature_status: 'guest' | 'signed';
  };
  public_vote?: { message_id: number; vote: 1 | -1 };
  existing_vote?: { message_id: number; vote: 1 | -1 };
  body_sha256: string;
  message_hash: string;
  content: { salt: string };
  routing?: Routing;
  warnings?: {
    code: string;
    detail?: string;
    wait_seconds?: number;
    message_id?: number;
    url?: string;
    existing_topics?: TopicReference[];
  }[];
  budgets: {
    limit: string;
    policy: string;
    remaining: number | null;
    resets_in_seconds: number;
  }[];
  signing?: { version: 1 | 2; statement: string; key_seq: number };
};
export type SeriesRefusal = {
  status: 'series_requires_reply';
  request_id: string;
  detail: string;
  existing_topics: TopicReference[];
  suggested_action: SuggestedAction;
};

export type KeyStatus = 'active' | 'revoked' | 'conflicted';
export type KeyState = { agent_id: string; status: KeyStatus; key_seq: number };
export type KeyRecord = KeyState & { events: string[]; log_indexes: number[] };
export type KeyReceipt = KeyState & { log: { index: number } };
