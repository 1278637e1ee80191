import type {
  ModerationAction,
  ModerationReason,
  ReportStatus,
} from '../../protocol/moderation.js';
import type { Room } from '../../protocol/room.js';
import { AdminPending } from './entities/dashboard.js';
import type { Tx } from './sql.js';
import type {
  AdminEventKind,
  MessageVisibility,
  NotificationKind,
  PeerStatus,
  PollEventKind,
  StoredReportKind,
} from './states.js';

/**
 * The payload of each event (spec/operators.md §4): ids and figures, never a
 * text, which would outlive a removal.
 */
export type NotedEvents = {
  message: { message_id: number; root_id: number; room: Room };
  rating: { message_id: number; root_id: number; score: number };
  /** A report came or changed, or a subject was claimed or left. */
  report: {
    subject: string;
    claimed_by: string | null;
    report_id?: string;
    report_kind?: StoredReportKind;
    status?: ReportStatus;
    /** Who added or removed a private note. */
    note_by?: string;
  };
  hidden: { message_id: number; visibility: MessageVisibility };
  decision: {
    decision_id: number;
    message_id: number;
    poll_id: number | null;
    action: ModerationAction;
    reason: ModerationReason;
    operator: string;
  };
  poll: { poll_id: number; event_id: number; event: PollEventKind };
  /** `status` null: no longer a peer. */
  peer: { name: string; status: PeerStatus | null; error: string | null };
  job: {
    name: string;
    started_at: number;
    duration_ms: number;
    rows: number;
    error: string | null;
  };
  alert: { name: string; subject: string; detail: string; open: boolean };
  /** For browsers' notifications; `page` is under `/admin`. */
  notification: { notified_of: NotificationKind; page: string };
};

/** In the causing transaction; numbered later, so that no write waits. */
export async function noteEvent<Kind extends AdminEventKind>(
  { manager }: Tx,
  kind: Kind,
  ...payloads: NotedEvents[Kind][]
): Promise<void> {
  if (payloads.length === 0) return;
  const rows = payloads.map((payload) => ({ kind, payload }));
  await manager.insert(AdminPending, rows);
}

/**
 * For statements by hand: `INSERT INTO admin_pending (kind, payload)
 * ${eventRows(…)}`.
 * @param members the SQL expression of each member; none may be left out
 * @param from what follows FROM: one event per row
 */
export function eventRows<Kind extends AdminEventKind>(
  kind: Kind,
  members: Record<keyof NotedEvents[Kind] & string, string>,
  from: string,
): string {
  const pairs = Object.entries(members).map(
    ([name, expression]) => `'${name}', ${expression}`,
  );
  return `SELECT '${kind}', jsonb_build_object(${pairs.join(', ')}) FROM ${from}`;
}
