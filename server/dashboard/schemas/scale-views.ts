import type {
  ModerationAction,
  ModerationReason,
  PollOutcome,
  ReportStatus,
} from '../../../protocol/moderation.js';
import type { Room } from '../../../protocol/room.js';
import type { BulkItemState } from '../../db/states.js';
import type { ALIKE } from './scale-inputs.js';
import type { MessageState } from './views.js';

// What the commands of operators at scale answer. Times are milliseconds.

export type Alike = (typeof ALIKE)[number];

/** One row of a selection, as a bulk takes it. */
export type Selected = {
  subject: string;
  message_id: number;
  /** The newest decision on it: the `seen` of the next one. */
  last_decision_id: number | null;
  /** Open ones. */
  reports: number;
};

export type Selection = {
  subject: string;
  by: Alike;
  /** The name, key or host that is the same; null for a text. */
  value: string | null;
  /** The hosts of the subject's links. */
  hosts: string[];
  data: Selected[];
  total: number;
  /** There are more than a bulk takes. */
  more: boolean;
};

/** One decision for many subjects, and how far it is. */
export type BulkSeen = {
  bulk: string;
  action: ModerationAction;
  reason: ModerationReason;
  outcome: PollOutcome | null;
  explanation: string;
  private_note: string | null;
  settle_reports: boolean;
  operator: string;
  mine: boolean;
  /** The bulk that it undoes, and the last one that undoes it. */
  undoes: string | null;
  undone_by: string | null;
  created_at: number;
  /** `done`: it has subjects and none waits. */
  state: 'open' | 'done' | 'cancelled';
  total: number;
  waiting: number;
  done: number;
  refused: number;
  can_undo: boolean;
};

export type BulkItemSeen = {
  n: number;
  subject: string;
  /** Null where there is no such subject. */
  message_id: number | null;
  seen: number | null;
  state: BulkItemState;
  decision_id: number | null;
  /** Why it was refused; a conflict has the decision of the other operator. */
  error: { error: string; detail: string; [member: string]: unknown } | null;
};

export type BulkProgress = BulkSeen & { settled: BulkItemSeen[] };
export type BulkPage = BulkSeen & {
  data: BulkItemSeen[];
  next: number | null;
};
export type BulkList = {
  data: BulkSeen[];
  next: { at: number; bulk: string } | null;
};

/** A message that has something in common with an item. */
export type Related = {
  message_id: number;
  root_id: number;
  room: Room;
  created_at: number;
  /** The texts are null once it is removed. */
  author: string | null;
  title: string | null;
  excerpt: string | null;
  state: MessageState;
  score: number;
  last_decision: {
    id: number;
    action: ModerationAction;
    reason: ModerationReason;
    operator: string;
    decided_at: number;
  } | null;
  open_reports: number;
};

/** All that has one thing in common with an item, and what became of it. */
export type Relation = {
  by: Alike;
  /** The name, key or hosts; null for a text. */
  value: string | null;
  /** Without the item itself; no more than a thousand are looked at. */
  total: number;
  capped: boolean;
  reports: Record<ReportStatus, number>;
  decisions: Partial<Record<ModerationAction, number>>;
  /** Newest first. */
  data: Related[];
  next: number | null;
};

export type History = { subject: string; relations: Relation[] };

/** A private note of an operator. */
export type NoteSeen = {
  id: string;
  note: string;
  operator: string;
  mine: boolean;
  at: number;
};

/** Milliseconds; null where nothing was measured. */
type Spread = { median_ms: number | null; p90_ms: number | null };

/** How the reports of a period were answered (spec/operators.md §5.6). */
export type ResponseFigures = {
  /** Filed in the period, and how many of them were claimed and settled. */
  reports: number;
  claimed: number;
  settled: number;
  to_first_claim: Spread;
  to_decision: Spread;
  /** Open at its end: up to an hour, a day, a week, and older. */
  open_by_age: Record<'hour' | 'day' | 'week' | 'older', number>;
  decisions: { action: ModerationAction; operator: string; count: number }[];
  /** Decisions that say the contrary of the one they supersede. */
  reversals: number;
};
