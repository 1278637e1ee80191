import type {
  ModerationAction,
  ModerationReason,
  ReportKind,
  ReportStatus,
} from '../../../protocol/moderation.js';
import type { Room } from '../../../protocol/room.js';
import type { Overview } from './views.js';

/**
 * What each event says (spec/operators.md §4). It is a hint: ids and figures,
 * never a text; who shows it asks for what has changed.
 */
export type EventPayloads = {
  /**
   * The state at `seq`, sent to a dashboard without a cursor or with one that
   * is too old: everything it shows is to be asked for again.
   */
  snapshot: { overview: Overview };
  message: { message_id: number; root_id: number; room: Room };
  rating: { message_id: number; root_id: number; score: number };
  /** A report came or changed, or somebody came to the subject or left it. */
  report: {
    subject: string;
    claimed_by: string | null;
    report_id?: string;
    report_kind?: ReportKind;
    status?: ReportStatus;
  };
  hidden: { message_id: number; visibility: string };
  decision: {
    decision_id: number;
    message_id: number;
    poll_id: number | null;
    action: ModerationAction;
    reason: ModerationReason;
    operator: string;
  };
  poll: { poll_id: number; event_id: number; event: string };
  /** `status` null: it is no peer any more. */
  peer: { name: string; status: string | null; error: string | null };
  job: {
    name: string;
    started_at: number;
    duration_ms: number;
    rows: number;
    error: string | null;
  };
  alert: { name: string; subject: string; detail: string; open: boolean };
};
