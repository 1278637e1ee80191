import { z } from 'zod';
import { uuid } from '../http/body/validate.js';
import { writeEndpoint } from '../http/endpoint.js';
import { isMonitor } from '../http/is-monitoring.js';
import { EXAMPLE_UUID } from '../http/openapi/examples.js';
import { countRead } from '../http/rate-limits/count-reads.js';
import { type ReaderEventRecorded, schemas } from './answers.js';

/** Body of POST /api/reader-events (spec/board.md §7). */
export const readerEventRequest = z.strictObject({
  visitor_id: uuid.describe('Kept as a hash of the day only.'),
  event: z
    .enum(['visit', 'selection_open', 'source_open'])
    .describe('What the reader did.'),
  consent: z.literal(true).describe('Nothing is counted without.'),
});

/**
 * Counts what a browser did whose reader agreed (spec/board.md §7). The visitor
 * is kept as a hash under the key of the UTC day, so nothing ties the days of
 * one visitor together.
 */
export const recordReaderEvent = writeEndpoint({
  post: '/api/reader-events',
  id: 'recordReaderEvent',
  tag: 'Statistics',
  summary: 'Count what a browser did, if its reader agreed',
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
  limits: ['reads_per_network_minute'],
  counter: 'reader_event',
  handle:
    (ctx) =>
    async ({ body: { visitor_id: id, event }, req }) => {
      if (!isMonitor(req.headers)) {
        const name = Buffer.from(`visitor ${id}`);
        const { day, today } = await ctx.networkKeys.counterKeys(name);
        await ctx.writes.query(
          `INSERT INTO reader_event AS e (day, visitor, event, total)
           VALUES ($1, $2, $3, 1)
           ON CONFLICT (day, visitor, event) DO UPDATE SET total = e.total + 1`,
          [day, today, event],
        );
      }
      const json: ReaderEventRecorded = { status: 'recorded' };
      return { json, status: 202 };
    },
});
