import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../context.js';
import { sendJson } from '../http/conditional.js';
import { isMonitor } from '../http/monitor.js';
import { parseBody, uuid } from '../http/validate.js';
import type { ReaderEventRecorded } from './answers.js';

/** Body of POST /api/reader-events (spec/board.md §7). */
export const readerEventRequest = z.strictObject({
  visitor_id: uuid.describe('Kept as a hash of the day only.'),
  event: z
    .enum(['visit', 'selection_open', 'source_open'])
    .describe('What the reader did.'),
  consent: z.literal(true).describe('Nothing is counted without.'),
});

/**
 * POST /api/reader-events: what a browser did whose reader agreed to be
 * counted. 202 `{status: "recorded"}`. The visitor is kept as a hash under the
 * key of the UTC day, so nothing ties the days of one visitor together.
 */
export function readerEvent(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { visitor_id: id, event } = parseBody(readerEventRequest, req.body);
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
    const answer: ReaderEventRecorded = { status: 'recorded' };
    sendJson(req, res, answer, { cache: 'no-store', status: 202 });
  };
}
