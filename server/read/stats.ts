import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { sendJson } from '../http/conditional.js';
import type { Stats } from '../threads/discovery-answers.js';
import { boardStats } from '../threads/stats-view.js';
import { SharedReads } from './shared-reads.js';

/**
 * GET /api/stats: counters of all time and of the current UTC day; removed
 * content is left out (spec/board.md §2.17). Counting reads every vote, so one
 * count serves all who asked before it began, and none who asked later.
 */
export function stats(ctx: Context): RequestHandler {
  const shared = new SharedReads<Stats>();
  return async (req, res) => {
    const counted = await shared.get('', () => boardStats(ctx));
    sendJson(req, res, counted, { cache: 'no-store' });
  };
}
