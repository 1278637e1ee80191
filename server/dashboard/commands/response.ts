import { z } from 'zod';
import { DAY_MS } from '../../clock.js';
import type { Sql } from '../../db/sql.js';
import { invalid } from '../../errors.js';
import type { SeenDecision } from '../../moderation/index.js';
import { command } from '../command.js';
import { time } from '../fields.js';
import { responseFigures } from './response.sql.js';

const DAYS = 30;

/** In ms; null without a measurement. */
type Spread = { median_ms: number | null; p90_ms: number | null };

export type ResponseFigures = {
  /** Filed in the period; of these claimed and settled. */
  reports: number;
  claimed: number;
  settled: number;
  to_first_claim: Spread;
  to_decision: Spread;
  /** At its end: up to an hour, a day, a week, and older. */
  open_by_age: Record<'hour' | 'day' | 'week' | 'older', number>;
  decisions: (Pick<SeenDecision, 'action' | 'stays_hidden' | 'operator'> & {
    count: number;
  })[];
  /** Decisions contrary to the superseded ones. */
  reversals: number;
};

export function recentResponse(
  sql: Sql,
  now: number,
): Promise<ResponseFigures> {
  return responseFigures(sql, { start: now - DAYS * DAY_MS, end: now + 1 });
}

/** @throws BoardError `invalid_input` for an end before the beginning */
export const readResponse = command({
  name: 'response.read',
  reads: true,
  right: 'viewer',
  summary: 'How fast reports are answered, and what is decided by whom.',
  input: z.strictObject({
    from: time.optional().describe('Default: 30 days before `to`.'),
    to: time.optional().describe('Exclusive; by default now.'),
  }),
  handle: async ({ ctx: { reads, clock }, input }) => {
    const { to: end = clock.now() + 1 } = input;
    const { from: start = end - DAYS * DAY_MS } = input;
    if (start > end) throw invalid('from', '`from` must not be after `to`.');
    return await responseFigures(reads, { start, end });
  },
});
