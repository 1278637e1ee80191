import { DAY_MS } from '../../clock.js';
import type { Sql } from '../../db/sql.js';
import { invalid } from '../refusals.js';
import type { ResponseFigures } from '../schemas/scale-views.js';
import { command } from './command.js';
import { responseFigures } from './response.sql.js';

const DAYS = 30;

/** Of the last 30 days, this moment included. */
export function recentResponse(
  sql: Sql,
  now: number,
): Promise<ResponseFigures> {
  return responseFigures(sql, { start: now - DAYS * DAY_MS, end: now + 1 });
}

/** @throws BoardError `invalid_input` for a period that ends before it begins */
export const readResponse = command('response.read', {
  right: 'viewer',
  summary: 'How fast reports are answered, and what is decided by whom.',
  handle: async ({ reads, clock }, _operator, input) => {
    const { to: end = clock.now() + 1 } = input;
    const { from: start = end - DAYS * DAY_MS } = input;
    if (start > end) throw invalid('from', '`from` must not be after `to`.');
    return await responseFigures(reads, { start, end });
  },
});
