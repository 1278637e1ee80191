import { z } from 'zod';
import type { ModerationAction } from '../../../protocol/moderation.js';
import { DAY_MS } from '../../clock.js';
import type { Sql } from '../../db/sql.js';
import { command } from '../command.js';
import { time } from '../fields.js';
import { invalid } from '../refusals.js';
import { responseFigures } from './response.sql.js';

const DAYS = 30;

/** Milliseconds; null where nothing was measured. */
type Spread = { median_ms: number | null; p90_ms: number | null };

/** How the reports of a period were answered (spec/operators.md §5.6). */
export type ResponseFigures = {
  /** Filed in the period, and how many of them were claimed and settled. */
  reports: number;
  claimed: number;
  settled: number;
  to_first_claim: Spread;
  to_decision: Spread;
  /** Open at its end: up to an hour, a day, a week, and older. */
  open_by_age: Record<'hour' | 'day' | 'week' | 'older', number>;
  decisions: { action: ModerationAction; operator: string; count: number }[];
  /** Decisions that say the contrary of the one they supersede. */
  reversals: number;
};

/** Of the last 30 days, this moment included. */
export function recentResponse(
  sql: Sql,
  now: number,
): Promise<ResponseFigures> {
  return responseFigures(sql, { start: now - DAYS * DAY_MS, end: now + 1 });
}

/** @throws BoardError `invalid_input` for a period that ends before it begins */
export const readResponse = command({
  name: 'response.read',
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
