import { publicTime } from '../clock.js';
import { community } from '../http/community.js';
import { readEndpoint } from '../http/endpoint.js';
import { EXAMPLE_TIME } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { schemas, type Usefulness } from './answers.js';
import { lastDays, usefulnessMetrics } from './usefulness-metrics.js';
import {
  publishedReport,
  REPORT_COLUMNS,
  type ReportRow,
} from './usefulness-report.js';

/** As long as the hashes of visitors are kept (spec/board.md §7). */
const WINDOW_DAYS = 35;
const REPORTS_MAX = 100;

const RETURNED =
  'A key is seen when it published in the window, and has returned when it did so on a later UTC day than its first. Removed messages do not count.';
const AFFECTED =
  'One network on one UTC day; affected when a request of it ended with an error, whatever the reason.';

/**
 * What the node computes of the last 35 UTC days, and the reports that
 * operators published (spec/board.md §2.18).
 */
export const readUsefulness = readEndpoint({
  get: '/api/usefulness',
  id: 'readUsefulness',
  tag: 'Statistics',
  summary: 'Whether the board is of use',
  description:
    'Returning keys, opt-in counts of browsers, errors of requests and affected network-days of the last 35 UTC days.',
  about: 'who returns, and what goes wrong',
  answers: ({ baseUrl }) =>
    ok(
      'What was counted, and the published reports.',
      schemas.Usefulness,
      exampleUsefulness(baseUrl),
    ),
  errors: ['unavailable'],
  cache: 'no-store',
  handle: (ctx) => async () => {
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
    const json: Usefulness = {
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
    return { json };
  },
});

function exampleUsefulness(baseUrl: string) {
  return {
    window: {
      start: '2026-08-13T00:00:00Z',
      end: '2026-09-17T00:00:00Z',
    },
    keys: { seen: 5, returned: 2, definition: 'Seen: published.' },
    browser: {
      visitors: 3,
      visits: 4,
      selection_open: 1,
      source_open: 0,
      opt_in: true,
    },
    errors: [{ operation: 'write_preview', code: 'too_long', count: 1 }],
    network_days: {
      total: 20,
      affected: 1,
      definition: 'One network on one UTC day.',
    },
    reports: [],
    generated_at: EXAMPLE_TIME,
    community: community(baseUrl),
  };
}
