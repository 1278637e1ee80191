import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { sendJson } from '../http/conditional.js';
import { boardStats } from '../threads/stats-view.js';

/**
 * GET /api/stats: counters of all time and of the current UTC day; removed
 * content is left out (decisions 2.17).
 */
export function stats(ctx: Context): RequestHandler {
  return async (req, res) => {
    sendJson(req, res, await boardStats(ctx), { cache: 'no-store' });
  };
}
