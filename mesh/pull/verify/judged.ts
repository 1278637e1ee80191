import type { Content } from '../../../protocol/content.js';
import type {
  DecisionEntry,
  PollEntry,
  RemoveEntry,
} from '../../../protocol/entry.js';
import type { KeyChain, PostRefusal, Verifier } from '../../../protocol/key.js';
import type { KeyRefusal } from '../../../protocol/key-step.js';
import type { Room } from '../../../protocol/room.js';
import type {
  MirrorStatus,
  MirrorVisibility,
} from '../../../server/db/states.js';
import type { PlacedStep } from '../../../server/ledger/key-state.js';
import type { TextFault, TextRules } from './text-rules.js';

/** Why an entry is invalid: never shown, counted, and never fatal. */
export type EntryFault =
  | 'bad_entry'
  | 'at_decreasing'
  | 'wrong_id'
  | 'wrong_board'
  | 'wrong_root'
  | 'wrong_room'
  | 'repeated_request'
  | 'parent_unknown'
  | 'parent_mismatch'
  | 'wrong_target'
  | 'wrong_poll'
  | 'bad_identity'
  | 'bad_anchor'
  | TextFault
  | PostRefusal
  | KeyRefusal;

/** What this node does with texts, by the peer's trust (spec/mesh.md §B8). */
export type Keeping = {
  /** What is asked of the feed. */
  asked: 'all' | 'signed' | 'none';
  /** Texts are stored, not only checked. */
  keeps: boolean;
};

/** A leaf of the page, as `log_entry` keeps it. */
export type JudgedEntry = {
  index: number;
  type: string;
  /** Null also for a post whose id another one has. */
  messageId: number | null;
  agentId: string | null;
  messageHash: Uint8Array | null;
  leaf: string;
  fault: EntryFault | null;
};

/** An entry of which nothing is known yet. */
export function entryRow(
  index: number,
  type: string,
  leaf: string,
): JudgedEntry {
  const about = { messageId: null, agentId: null, messageHash: null };
  return { index, type, leaf, ...about, fault: null };
}

type Removal = {
  reason: string;
  by: string;
  at: number;
  explain: Uint8Array | null;
  index: number;
};

/** What later entries of its log can change of a post. */
export type MessageState = {
  status: MirrorStatus;
  visibility: MirrorVisibility;
  removal: Removal | null;
  erased: boolean;
  pollClose: Record<string, unknown> | null;
  pollDecision: Record<string, unknown> | null;
};

/** A post of the log that an entry can name. */
export type KnownPost = {
  /** Of a former generation's log, where it is not the log's own post. */
  originId?: number;
  id: number;
  rootId: number;
  hash: Uint8Array;
  agentId: string | null;
  pollId: number | null;
  room: Room;
  state: MessageState;
};

/** What an agent says once in a log (spec/mesh.md §B7.2). */
export const requestOf = (agent: string, request: string) =>
  `${agent} ${request}`;

/** A post that is new with the page. `content`: verified, to be stored. */
export type NewPost = KnownPost & {
  index: number;
  replyTo: number | null;
  keySeq: number | null;
  request: string;
  at: number;
  via: string | null;
  vote: 1 | -1 | null;
  voteResult: string | null;
  contentHash: Uint8Array;
  content: Content | null;
  fault: EntryFault | null;
};

export type JudgedDecision = {
  index: number;
  entry: RemoveEntry | DecisionEntry;
};

/** What the judge has to know of the log before the page. */
export type PageFacts = {
  board: string;
  logVkey: string;
  firstIndex: number;
  lastMessageId: number;
  /**
   * Lower IDs belong to former generations of the log, and what is not known
   * of those cannot be judged by this one; 0 or absent in the first.
   */
  formerBelow?: number;
  lastAt: number;
  /** Chains of agents that the page names; absent = never seen. */
  chains: ReadonlyMap<string, KeyChain>;
  /** Posts that the page names and did not bring. */
  posts: ReadonlyMap<number, KnownPost>;
  /** `requestOf` each signed post of the log whose request the page names. */
  requests: ReadonlySet<string>;
  keeping: Keeping;
  textRules: TextRules;
  verify: Verifier;
};

export type JudgedPage = {
  entries: JudgedEntry[];
  posts: NewPost[];
  /** `requestOf` the posts with a valid signature. */
  requests: Set<string>;
  /** Earlier posts whose state has changed. */
  changed: Map<number, KnownPost>;
  keySteps: PlacedStep[];
  chains: Map<string, KeyChain>;
  decisions: JudgedDecision[];
  /** Identity notes of valid `board` entries. */
  identities: string[];
  lastMessageId: number;
  lastAt: number;
  /** Highest `at` within the page; 0 of none. */
  latestAt: number;
};

export function freshState(status: MirrorStatus): MessageState {
  return {
    status,
    visibility: 'visible',
    removal: null,
    erased: false,
    pollClose: null,
    pollDecision: null,
  };
}

/** Decisions about invalid posts leave them invalid. */
export function afterRemoval(
  state: MessageState,
  entry: RemoveEntry,
  index: number,
): MessageState {
  const { reason, by, at, explain } = entry;
  const status = state.status === 'invalid' ? 'invalid' : 'removed';
  return { ...state, status, removal: { reason, by, at, explain, index } };
}

/**
 * What a decision does to a post. `wanted`: what becomes of a text that is
 * given back, to be fetched or not kept at all.
 */
export function afterDecision(
  state: MessageState,
  { action, at }: DecisionEntry,
  index: number,
  wanted: 'missing' | 'bare',
): MessageState {
  switch (action) {
    case 'reinstate':
      if (state.status !== 'removed') return state;
      return { ...state, status: wanted, removal: null, erased: false };
    case 'erase':
      return { ...state, erased: true };
    case 'hide':
      return { ...state, visibility: 'hidden_by_decision' };
    case 'restore':
      return { ...state, visibility: 'restored_by_decision' };
    case 'keep':
      return state;
    case 'poll-accepted':
    case 'poll-declined':
    case 'poll-deferred': {
      const outcome = action.slice('poll-'.length);
      return { ...state, pollDecision: { outcome, at, index } };
    }
  }
}

/** The result as its entry states it; the first closing counts. */
export function afterPollClose(
  state: MessageState,
  entry: PollEntry,
  index: number,
): MessageState {
  if (state.pollClose !== null) return state;
  const { counts, voters, result, winner, at } = entry;
  return { ...state, pollClose: { counts, voters, result, winner, at, index } };
}
