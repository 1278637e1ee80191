import type {
  ModerationAction,
  ModerationReason,
  PollOutcome,
  ReportStatus,
} from '../../../protocol/moderation.js';
import type { Room } from '../../../protocol/room.js';
import type { KeyStatus, StoredReportKind } from '../../db/states.js';
import type { ReplicaSeen } from './replica-seen.js';
import type { NoteSeen, ResponseFigures } from './scale-views.js';

/** For the dashboard's form, which may import nothing else of the mesh. */
export { levelText, PEER_LIMITS, peerLimits } from '../../../mesh/peer-port.js';

/** `next` is what the next page is asked for with; null where there is none. */
type Page<Row, Next = number> = { data: Row[]; next: Next | null };

/** What commands answer. Times are milliseconds; texts are a stranger's. */
export type MessageState =
  | 'visible'
  | 'hidden_by_ratings'
  | 'hidden_by_decision'
  | 'restored'
  | 'removed'
  | 'erased';

export type Claim = { operator: string; mine: boolean; at: number };

export type QueueRow = {
  subject: string;
  kind: 'topic' | 'message' | 'card' | 'poll';
  message_id: number;
  room: Room;
  state: MessageState;
  score: number;
  /** Null once removed. */
  author: string | null;
  title: string | null;
  excerpt: string | null;
  reports: number;
  appeals: number;
  reasons: string[];
  first_at: number;
  last_at: number;
  claim: Claim | null;
  /** The newest decision on it: the `seen` of the next one. */
  last_decision_id: number | null;
};
export type QueuePage = Page<QueueRow, { at: number; subject: string }> & {
  /** Subjects that wait, by kind, without the filters; on a first page. */
  totals: Record<QueueRow['kind'], number> | null;
};

/** A decision exactly as every public read shows it (spec/board.md §2.19). */
export type PublicDecisionSeen = {
  id: number;
  action: ModerationAction;
  reason: ModerationReason;
  explanation: string;
  decided_at: string;
  operator: string;
  supersedes: number | null;
  log_index: number;
};
export type DecisionSeen = Omit<PublicDecisionSeen, 'decided_at'> & {
  message_id: number;
  poll_id: number | null;
  room: Room;
  outcome: PollOutcome | null;
  private_note: string | null;
  decided_at: number;
  superseded_by: number | null;
};
export type DecisionPage = Page<DecisionSeen>;

/** One vote: its time and sign, never its network. */
export type VoteSeen = { at: number; value: 1 | -1 };

export type ThreadMessage = {
  id: number;
  reply_to: number | null;
  author: string | null;
  title: string | null;
  body: string | null;
  state: MessageState;
  created_at: number;
};

export type SignatureSeen = {
  status: 'guest' | 'signed';
  agent_id: string | null;
  key_seq: number | null;
  /** Of the key now. */
  key_status: KeyStatus | null;
  message_hash: string;
  log_index: number;
  proof_url: string | null;
};

export type Mirror = {
  board: string;
  status: 'active' | 'paused' | 'quarantined';
  /** 0: it has never cosigned our log, and keeps none of it. */
  acked_size: number;
  /** When it last acknowledged anything. */
  acked_at: number | null;
  /** Whether it has acknowledged the removal. */
  acknowledged: boolean;
};

/** A report as operators see it; `detail` is null for viewers. */
export type ReportSeen = {
  request_id: string;
  subject: string;
  kind: StoredReportKind;
  reason: string;
  detail: string | null;
  /** The key of the message signed a removal request that is in `detail`. */
  author_verified: boolean;
  status: ReportStatus;
  /** Milliseconds. */
  created_at: number;
  status_at: number;
  claimed_by: string | null;
  decision_id: number | null;
};
export type ReportPage = Page<ReportSeen, string>;

export type Item = {
  subject: string;
  message: ThreadMessage & {
    root_id: number;
    room: Room;
    score: number;
    request_id: string;
    url: string;
  };
  /** The poll of the topic, as the public sees it. */
  poll: unknown;
  /** The sealed text of a removed message, when it was asked for. */
  sealed: { title: string | null; body: string; author: string } | null;
  context: ThreadMessage[];
  signature: SignatureSeen;
  votes: VoteSeen[];
  reports: ReportSeen[];
  decisions: DecisionSeen[];
  last_decision_id: number | null;
  claim: Claim | null;
  mirrors: Mirror[];
  /** Of operators, for each other. */
  notes: NoteSeen[];
};

export type HiddenTopic = {
  id: number;
  room: Room;
  state: MessageState;
  score: number;
  author: string | null;
  title: string | null;
  excerpt: string | null;
  replies: number;
  created_at: number;
  votes: VoteSeen[];
  appeals: ReportSeen[];
  last_decision_id: number | null;
};
export type HiddenPage = Page<HiddenTopic>;

export type PollPage = Page<{ poll: unknown; last_decision_id: number | null }>;

export type AlertSeen = {
  name: string;
  subject: string;
  detail: string;
  /** What to do, in a sentence. */
  next: string;
  since: number;
};
export type Overview = {
  at: number;
  posts: { hour: number; day: number };
  /** The newest posts, newest first; `root` is the topic of each. */
  latest: {
    id: number;
    root: number;
    room: Room;
    at: number;
    /** Of its topic; null where that is removed. */
    title: string | null;
    author: string | null;
    excerpt: string | null;
  }[];
  votes: { hour: number; day: number };
  readers: { waiting: number; sessions_today: number };
  errors_today: number;
  reports: { received: number; in_review: number; oldest_at: number | null };
  /** Subjects that wait in the queue, one row of it each. */
  queue: number;
  hidden_topics: number;
  polls: { open: number; awaiting: number };
  /** `only_here`: texts that no board that answers is known to have. */
  peers: {
    name: string;
    status: string;
    lag_ms: number;
    /** Why its copy does not grow; null while it does. */
    standstill: string | null;
    only_here: number;
  }[];
  alerts: AlertSeen[];
  /** Of the last 30 days. */
  response: ResponseFigures;
  /** The most pressing first; nothing when all is well. */
  first: { what: string; count: number; page: string }[];
};

export type Chart = {
  span: 'hour' | 'day' | 'month';
  /** Start of each bucket. */
  at: number[];
  /** Null where nothing was noted: of levels, not of counts. */
  series: Record<string, (number | null)[]>;
};

/** How far behind each linked board's copy was, the most of each bucket. */
export type LagChart = {
  span: Chart['span'];
  at: number[];
  /** Milliseconds; null where nothing was noted. */
  boards: Record<string, (number | null)[]>;
};

/** Kept figures, oldest first; `name` is empty for those of this board. */
export type SamplePage = Page<
  { at: number; name: string; value: number },
  { at: number; name: string }
>;

/** What the System page shows of backups (spec/operators.md §3). */
type BackupsSeen = {
  /** The last backup. */
  at: number;
  age_ms: number;
  bytes: number;
  /** Entries of the log in it. */
  log_size: number;
  /** When a backup last passed a trial restore; null for never. */
  verified_at: number | null;
  verified_made_at: number | null;
  /** Nothing made in the last 26 hours was verified: there is an alert. */
  overdue: boolean;
};

export type SystemView = {
  release: string;
  node: string;
  /** Why another release of Node.js is better, and which. */
  node_warning: { detail: string; fix: string } | null;
  database: string;
  board: { name: string; origin: string };
  migrations: string[];
  jobs: {
    name: string;
    started_at: number;
    duration_ms: number;
    rows: number;
    failures: number;
    error: string | null;
  }[];
  tables: { name: string; bytes: number; rows: number }[];
  limits: { name: string; value: number; default: number }[];
  /** Null before the first backup. */
  backups: BackupsSeen | null;
  log: { origin: string; size: number; at: number; checkpoint: string };
  replicas: ReplicaSeen[];
};

export type Template = {
  name: string;
  action: ModerationAction;
  reason: ModerationReason;
  explanation: string;
  placeholders: string[];
  /** Null for one that the software brings along. */
  updated_at: number | null;
  updated_by: string | null;
};
export type SavedView = { name: string; query: string };

/** A usefulness report as it is, or would be, at `/api/usefulness`. */
export type UsefulnessSeen = {
  id: number;
  period: { start: string; end: string };
  metrics: unknown;
  note: string;
  operator: string;
  /** Null for a draft. */
  published_at: string | null;
};
export type UsefulnessPage = Page<UsefulnessSeen>;
