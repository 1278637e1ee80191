import { IsNull, Not } from 'typeorm';
import { z } from 'zod';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { UsefulnessReport } from '../db/entities/stats.js';
import { READER_EVENTS } from '../db/states.js';
import { uuid } from '../http/body/validate.js';
import { readEndpoint, writeEndpoint } from '../http/endpoint.js';
import { EXAMPLE_TIME, EXAMPLE_UUID } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { countRead } from '../http/rate-limits/read-limiter.js';
import { isMonitor } from '../http/request-state.js';
import { community } from '../http/send.js';
import {
  type ReaderEventRecorded,
  schemas,
  type Usefulness,
} from './answers.js';
import { countReaderEvent } from './reader-events.js';
import { lastDays, usefulnessMetrics } from './usefulness-metrics.sql.js';

/** A draft until it is published. Times in ms. */
type ReportRow = Omit<UsefulnessReport, 'createdAt'>;

/** spec/board.md §2.18 */
type PublishedReport = Usefulness['reports'][number];

/** `at`: when a draft is published. */
export function publishedReport(row: ReportRow, at = 0): PublishedReport {
  return {
    id: row.id,
    period: {
      start: publicTime(row.periodStart),
      end: publicTime(row.periodEnd),
    },
    metrics: row.metrics,
    note: row.note,
    operator: row.operator,
    published_at: publicTime(row.publishedAt ?? at),
  };
}

const WINDOW_DAYS = 35;
const REPORTS_MAX = 100;

const RETURNED =
  'A key is seen when it published in the window, and has returned when it did so on a later UTC day than its first. Removed messages do not count.';
const AFFECTED =
  'One network on one UTC day; affected when a request of it ended with an error, for any reason. Of today those of the last full hour, rounded down to tens.';

/** Of the last 35 UTC days, with published reports (spec/board.md §2.18). */
export const readUsefulness = readEndpoint({
  get: '/api/usefulness',
  id: 'readUsefulness',
  tag: 'Statistics',
  summary: 'Usefulness metrics',
  description:
    'Returning keys, opt-in counts of browsers, errors of requests and affected network-days of the last 35 UTC days, computed at most once a minute. Of today networks and visitors are counted up to the last full hour, rounded down to tens.',
  about: 'who returns, and what goes wrong',
  answers: ({ baseUrl }) =>
    ok(
      'What was counted, and the published reports.',
      schemas.Usefulness,
      exampleUsefulness(baseUrl),
    ),
  errors: ['unavailable'],
  cache: 'no-store',
  handle: (ctx) => {
    let kept: { at: number; answer: ReturnType<typeof computed> } | null = null;
    return async () => {
      const now = ctx.clock.now();
      if (kept === null || Math.abs(now - kept.at) >= KEPT_MS) {
        const mine = { at: now, answer: computed(ctx, now) };
        kept = mine;
        mine.answer.catch(() => {
          if (kept === mine) kept = null;
        });
      }
      const computation = await kept.answer;
      const published = await ctx.reads.manager.find(UsefulnessReport, {
        where: { publishedAt: Not(IsNull()) },
        order: { publishedAt: 'DESC', id: 'DESC' },
        take: REPORTS_MAX,
      });
      const reports = published.map((row) => publishedReport(row));
      const json: Usefulness = { ...computation, reports };
      return { json };
    };
  },
});

/** Shared for a minute. */
const KEPT_MS = 60_000;

async function computed(
  ctx: Context,
  now: number,
): Promise<Omit<Usefulness, 'reports'>> {
  await ctx.telemetry.flush();
  const period = lastDays(now, WINDOW_DAYS);
  const metrics = await usefulnessMetrics(ctx.slowReads, period, now);
  return {
    window: {
      start: publicTime(period.start),
      end: publicTime(period.end),
    },
    keys: { ...metrics.keys, definition: RETURNED },
    browser: { ...metrics.browser, opt_in: true },
    errors: metrics.errors,
    network_days: { ...metrics.network_days, definition: AFFECTED },
    generated_at: publicTime(now),
    community: community(ctx.config.baseUrl),
  };
}

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

export const readerEventRequest = z.strictObject({
  visitor_id: uuid.describe('Kept as a hash of the day only.'),
  event: z.enum(READER_EVENTS).describe('What the reader did.'),
  consent: z.literal(true).describe('Nothing is counted without.'),
});

/** With consent (spec/board.md §7): nothing links a visitor's days. */
export const recordReaderEvent = writeEndpoint({
  post: '/api/reader-events',
  id: 'recordReaderEvent',
  tag: 'Statistics',
  summary: 'Record a reader event, with consent',
  description:
    'Kept for compatible clients. `consent` has to be true; the visitor is kept as a hash of the day only.',
  about: 'what a consenting browser did',
  passes: (ctx) => [countRead(ctx)],
  body: () => ({
    schema: readerEventRequest,
    example: { visitor_id: EXAMPLE_UUID, event: 'visit', consent: true },
  }),
  answers: () => ({
    202: {
      description: 'Counted.',
      json: {
        schema: schemas.ReaderEventRecorded,
        example: { status: 'recorded' },
      },
    },
  }),
  limits: [
    'reads_per_network_minute',
    'reader_visitors_per_network_day',
    'reader_events_per_visitor_day',
    'reader_events_per_board_day',
  ],
  counter: 'reader_event',
  handle:
    (ctx) =>
    async ({ body: { visitor_id: id, event }, network, req }) => {
      if (!isMonitor(req)) {
        const name = Buffer.from(`visitor ${id}`);
        const { day, today } = await ctx.networkKeys.counterKeys(name);
        const counted = { day, visitor: today, event };
        const payer = await ctx.networkKeys.counterKeys(network());
        await countReaderEvent(ctx, counted, payer);
      }
      const json: ReaderEventRecorded = { status: 'recorded' };
      return { json, status: 202 };
    },
});
