import type { Content } from '../../../protocol/content.js';
import type { DecisionEntry, RemoveEntry } from '../../../protocol/entry.js';
import type {
  KeyChain,
  KeyStep,
  PostRefusal,
  Verifier,
} from '../../../protocol/key.js';
import type { KeyRefusal } from '../../../protocol/key-step.js';
import type { Room } from '../../../protocol/room.js';
import type { KnownPost } from './message-state.js';
import type { TextFault, TextRules } from './text-rules.js';

/** Why an entry is invalid: never shown, counted, and never fatal. */
export type EntryFault =
  | 'bad_entry'
  | 'at_decreasing'
  | 'wrong_id'
  | 'wrong_board'
  | 'wrong_root'
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

/** A post that is new with the page. `content`: verified, to be stored. */
export type NewPost = KnownPost & {
  index: number;
  replyTo: number | null;
  room: Room;
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

export type JudgedStep = { index: number; at: number; step: KeyStep };
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
   * IDs below belong to former generations of the log, and what is not known
   * of those cannot be judged by this one; 0 or absent in the first.
   */
  formerBelow?: number;
  lastAt: number;
  /** Chains of agents that the page names; absent = never seen. */
  chains: ReadonlyMap<string, KeyChain>;
  /** Posts that the page names and did not bring. */
  posts: ReadonlyMap<number, KnownPost>;
  keeping: Keeping;
  textRules: TextRules;
  /** Judges the posts' signatures. */
  verify: Verifier;
};

/** A page judged entry by entry, and what follows from it. */
export type JudgedPage = {
  entries: JudgedEntry[];
  posts: NewPost[];
  /** Earlier posts whose state has changed. */
  changed: Map<number, KnownPost>;
  keySteps: JudgedStep[];
  chains: Map<string, KeyChain>;
  decisions: JudgedDecision[];
  /** Identity notes of valid `board` entries. */
  identities: string[];
  lastMessageId: number;
  lastAt: number;
  /** Highest `at` within the page; 0 of none. */
  latestAt: number;
};
