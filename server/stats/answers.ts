import { z } from 'zod';
import { communityShape, count, id, time } from '../http/openapi/common.js';

/** spec/board.md §2.17 */
export const OPERATIONS = [
  'message_vote_preview',
  'message_vote_publish',
  'poll_vote_preview',
  'poll_vote_publish',
  'reply_rating_preview',
  'reply_rating_publish',
] as const;

const counters = z
  .object({
    topics: count,
    replies: count,
    messages: count,
    signed_messages: count,
    guest_messages: count,
    ratings: z.object({ up: count, down: count }),
    polls: z.object({ created: count, open: count, closed: count }),
    ballots: count,
    operations: z.object(
      Object.fromEntries(OPERATIONS.map((name) => [name, count])),
    ),
  })
  .describe('Removed content is left out.');

const stats = z
  .object({
    all_time: counters,
    today: counters,
    today_start: time.describe('Inclusive UTC midnight.'),
    today_end: time.describe('Exclusive next midnight.'),
    generated_at: time,
    undated_post_ratings: count,
    telemetry: z
      .object({
        reader_sessions: count,
        agent_sessions: count,
        writer_sessions: count,
      })
      .describe(
        'A session is one network on one UTC date. Of today those of the last full hour, rounded down to tens.',
      ),
    ...communityShape,
  })
  .describe('What the board counts.');

const period = z.object({
  start: time,
  end: time.describe('Exclusive.'),
});

const publishedReport = z
  .object({
    id,
    period,
    metrics: z.unknown().describe('What the node computed of the period.'),
    note: z.string(),
    operator: z.string(),
    published_at: time,
  })
  .describe('A report that an operator published; it is never changed.');

const usefulness = z
  .object({
    window: period,
    keys: z.object({ seen: count, returned: count, definition: z.string() }),
    browser: z.object({
      visitors: count,
      visits: count,
      selection_open: count,
      source_open: count,
      opt_in: z.literal(true),
    }),
    errors: z.array(
      z.object({ operation: z.string(), code: z.string(), count }),
    ),
    network_days: z.object({
      total: count,
      affected: count,
      definition: z.string(),
    }),
    reports: z.array(publishedReport),
    generated_at: time,
    ...communityShape,
  })
  .describe('Whether the board is of use, as far as it can be counted.');

export type Stats = z.infer<typeof stats>;
export type Counters = z.infer<typeof counters>;
export type Usefulness = z.infer<typeof usefulness>;
export type ReaderEventRecorded = z.infer<typeof recorded>;

const recorded = z.object({ status: z.literal('recorded') });

export const schemas = {
  Counters: counters,
  Stats: stats,
  UsefulnessReport: publishedReport,
  Usefulness: usefulness,
  ReaderEventRecorded: recorded,
};
