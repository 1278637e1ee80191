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

/** By the peer's trust (spec/mesh.md §B8). */
export type Keeping = {
  /** Requested from the feed. */
  asked: 'all' | 'signed' | 'none';
  /** Stored, not only checked. */
  keeps: boolean;
};

/** As in `log_entry`. */
export type JudgedEntry = {
  index: number;
  type: string;
  /** Null for a used id, too. */
  messageId: number | null;
  agentId: string | null;
  messageHash: Uint8Array | null;
  leaf: string;
  fault: EntryFault | null;
};

/** Not judged yet. */
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

/** Changed by later entries. */
export type MessageState = {
  status: MirrorStatus;
  visibility: MirrorVisibility;
  removal: Removal | null;
  erased: boolean;
  pollClose: Record<string, unknown> | null;
  pollDecision: Record<string, unknown> | null;
};

/** That an entry can name. */
export type KnownPost = {
  /** Only for a former generation's post. */
  originId?: number;
  id: number;
  rootId: number;
  hash: Uint8Array;
  agentId: string | null;
  pollId: number | null;
  room: Room;
  state: MessageState;
};

/** Unique per log (spec/mesh.md §B7.2). */
export const requestOf = (agent: string, request: string) =>
  `${agent} ${request}`;

/** New with the page; `content` is verified. */
export type NewPost = KnownPost & {
  index: number;
  replyTo: number | null;
  /** Whose message it replies to, of this log; null for the own key. */
  answers: string | null;
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

export type PageFacts = {
  board: string;
  logVkey: string;
  firstIndex: number;
  lastMessageId: number;
  /** Lower IDs are of former generations; 0 or absent in the first. */
  formerBelow?: number;
  lastAt: number;
  /** Of named agents; absent = never seen. */
  chains: ReadonlyMap<string, KeyChain>;
  /** Named and not in the page. */
  posts: ReadonlyMap<number, KnownPost>;
  /** `requestOf` of earlier signed posts that the page repeats. */
  requests: ReadonlySet<string>;
  keeping: Keeping;
  textRules: TextRules;
  verify: Verifier;
};

export type JudgedPage = {
  entries: JudgedEntry[];
  posts: NewPost[];
  /** `requestOf` of validly signed posts. */
  requests: Set<string>;
  /** Earlier posts with a changed state. */
  changed: Map<number, KnownPost>;
  keySteps: PlacedStep[];
  chains: Map<string, KeyChain>;
  decisions: JudgedDecision[];
  /** Of valid `board` entries. */
  identities: string[];
  lastMessageId: number;
  lastAt: number;
  /** Highest `at` of the page; 0 without any. */
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

/** Invalid posts stay invalid. */
export function afterRemoval(
  state: MessageState,
  entry: RemoveEntry,
  index: number,
): MessageState {
  const { reason, by, at, explain } = entry;
  const status = state.status === 'invalid' ? 'invalid' : 'removed';
  return { ...state, status, removal: { reason, by, at, explain, index } };
}

/** `wanted`: whether a restored text is fetched. */
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

/** The first closing counts. */
export function afterPollClose(
  state: MessageState,
  entry: PollEntry,
  index: number,
): MessageState {
  if (state.pollClose !== null) return state;
  const { counts, voters, result, winner, at } = entry;
  return { ...state, pollClose: { counts, voters, result, winner, at, index } };
}
