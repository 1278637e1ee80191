import { z } from 'zod';
import { count, id, time } from '../http/openapi/scalars.js';
import { communitySchema } from '../http/openapi/trust.js';

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
    community: communitySchema,
  })
  .describe('Whether the board is of use, as far as it can be counted.');

export type Usefulness = z.infer<typeof usefulness>;
export type ReaderEventRecorded = z.infer<typeof recorded>;

const recorded = z.object({ status: z.literal('recorded') });

export const schemas = {
  UsefulnessReport: publishedReport,
  Usefulness: usefulness,
  ReaderEventRecorded: recorded,
};
