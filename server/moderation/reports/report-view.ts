import { publicTime } from '../../clock.js';
import { moderationUrl } from '../../http/urls.js';
import type { Report } from './answers.js';

export type ReportStatus = Report['status'];

/** All of a report that its holder sees; the text is never among it. */
export type ReportRow = {
  request_id: string;
  kind: Report['kind'];
  message_id: number | null;
  card_id: string | null;
  created_at: number;
  status: ReportStatus;
  /** The message that a decision on it was about. */
  decided_message: number | null;
};

export const REPORT_COLUMNS = `p.request_id, p.kind, p.message_id, p.card_id,
  p.created_at, p.status, (SELECT d.message_id FROM decision d
    WHERE d.id = p.decision_id) AS decided_message`;

/**
 * The receipt (spec/board.md §7), and `decision_url` when there is a decision.
 */
export function reportView(row: ReportRow, baseUrl: string): Report {
  return {
    request_id: row.request_id,
    status: row.status,
    kind: row.kind,
    ...(row.message_id === null ? {} : { message_id: row.message_id }),
    ...(row.card_id === null ? {} : { card_id: row.card_id }),
    created_at: publicTime(row.created_at),
    status_url: `${baseUrl}/api/reports/${row.request_id}`,
    ...(row.decided_message === null
      ? {}
      : { decision_url: moderationUrl(baseUrl, row.decided_message) }),
  };
}
