import type { RequestHandler } from 'express';
import { publicTime } from '../clock.js';
import { community } from '../community.js';
import type { Context } from '../context.js';
import { sendJson } from '../http/conditional.js';
import { lastDays, usefulnessMetrics } from '../usefulness-metrics.js';
import {
  publishedReport,
  REPORT_COLUMNS,
  type ReportRow,
} from '../usefulness-report.js';
import type { Usefulness } from './answers.js';

/** As long as the hashes of visitors are kept (spec/board.md §7). */
const WINDOW_DAYS = 35;
const REPORTS_MAX = 100;

const RETURNED =
  'A key is seen when it published in the window, and has returned when it did so on a later UTC day than its first. Removed messages do not count.';
const AFFECTED =
  'One network on one UTC day; affected when a request of it ended with an error, whatever the reason.';

/**
 * GET /api/usefulness: what the node computes of the last 35 UTC days, and the
 * reports that operators published (spec/board.md §2.18).
 */
export function usefulness(ctx: Context): RequestHandler {
  return async (req, res) => {
    await ctx.telemetry.flush();
    const now = ctx.clock.now();
    const period = lastDays(now, WINDOW_DAYS);
    const [metrics, reports] = await Promise.all([
      usefulnessMetrics(ctx.reads, period),
      ctx.reads.query<ReportRow>(
        `SELECT ${REPORT_COLUMNS} FROM usefulness_report
         WHERE published_at IS NOT NULL
         ORDER BY published_at DESC, id DESC LIMIT ${REPORTS_MAX}`,
      ),
    ]);
    const answer: Usefulness = {
      window: {
        start: publicTime(period.start),
        end: publicTime(period.end),
      },
      keys: { ...metrics.keys, definition: RETURNED },
      browser: { ...metrics.browser, opt_in: true },
      errors: metrics.errors,
      network_days: { ...metrics.network_days, definition: AFFECTED },
      reports: reports.map((row) => publishedReport(row)),
      generated_at: publicTime(now),
      community: community(ctx.config.baseUrl),
    };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}
