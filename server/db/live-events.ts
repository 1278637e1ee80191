import type {
  ModerationAction,
  ModerationReason,
  ReportStatus,
} from '../../protocol/moderation.js';
import type { Room } from '../../protocol/room.js';
import type {
  MessageVisibility,
  NotificationKind,
  PeerStatus,
  PollEventKind,
  StoredReportKind,
} from './states.js';

type Noted<Payload> = {
  /** A type only. */
  readonly payload?: Payload;
  /** What changed: a dashboard that changed it itself gives no hint of it. */
  readonly about?: (event: Payload) => readonly string[];
  /** Of events that wait together, the last one for each value of it is sent. */
  readonly last?: keyof Payload & string;
};

const noted = <Payload>(more: Noted<Payload> = {}): Noted<Payload> => more;

/**
 * Every event with its payload (spec/operators.md §4): ids and figures, never a
 * text, which would outlive a removal. Shared with the dashboard's browser code.
 */
export const NOTED = {
  message: noted<{ message_id: number; root_id: number; room: Room }>(),
  rating: noted<{ message_id: number; root_id: number; score: number }>({
    last: 'message_id',
  }),
  /** A report came or changed, or a subject was claimed or left. */
  report: noted<{
    subject: string;
    claimed_by: string | null;
    report_id?: string;
    report_kind?: StoredReportKind;
    status?: ReportStatus;
    /** Who added or removed a private note. */
    note_by?: string;
    /** Who has opened the subject. */
    opened_by?: string;
  }>(),
  hidden: noted<{ message_id: number; visibility: MessageVisibility }>({
    about: ({ message_id: id }) => [`message:${id}`],
  }),
  decision: noted<{
    decision_id: number;
    message_id: number;
    poll_id: number | null;
    action: ModerationAction;
    reason: ModerationReason;
    operator: string;
  }>({
    about: (event) => [`message:${event.message_id}`, `poll:${event.poll_id}`],
  }),
  poll: noted<{ poll_id: number; event_id: number; event: PollEventKind }>({
    about: ({ poll_id: id }) => [`poll:${id}`],
  }),
  /** `status` null: no longer a peer. */
  peer: noted<{
    name: string;
    status: PeerStatus | null;
    error: string | null;
  }>({ about: ({ name }) => [`peer:${name}`] }),
  job: noted<{
    name: string;
    started_at: number;
    duration_ms: number;
    rows: number;
    error: string | null;
  }>({ last: 'name' }),
  alert: noted<{
    name: string;
    subject: string;
    detail: string;
    open: boolean;
  }>(),
  /** For browsers' notifications; `page` is under `/admin`. */
  notification: noted<{ notified_of: NotificationKind; page: string }>(),
};

export type NotedKind = keyof typeof NOTED;
export type NotedEvents = {
  [K in NotedKind]: (typeof NOTED)[K] extends Noted<infer P> ? P : never;
};
