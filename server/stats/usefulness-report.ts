import { publicTime } from '../clock.js';

/** A row of `usefulness_report`; a draft until it is published. Times in ms. */
export type ReportRow = {
  id: number;
  period_start: number;
  period_end: number;
  metrics: unknown;
  note: string;
  operator: string;
  published_at: number | null;
};

export const REPORT_COLUMNS =
  'id, period_start, period_end, metrics, note, operator, published_at';

/** A published report as `/api/usefulness` shows it (spec/board.md §2.18). */
export type PublishedReport = {
  id: number;
  period: { start: string; end: string };
  metrics: unknown;
  note: string;
  operator: string;
  published_at: string;
};

/** A report as it is published; `at` is the time of a draft's publication. */
export function publishedReport(row: ReportRow, at = 0): PublishedReport {
  return {
    id: row.id,
    period: {
      start: publicTime(row.period_start),
      end: publicTime(row.period_end),
    },
    metrics: row.metrics,
    note: row.note,
    operator: row.operator,
    published_at: publicTime(row.published_at ?? at),
  };
}
