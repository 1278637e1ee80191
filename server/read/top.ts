import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { trust } from '../envelope.js';
import { sendJson } from '../http/conditional.js';
import type { TopList } from '../threads/discovery-answers.js';
import { topOfToday, wholeList } from '../threads/top-of-today.js';

/** GET /api/top: the best of the current UTC day (spec/board.md §2.22). */
export function top(ctx: Context): RequestHandler {
  return async (req, res) => {
    const data = await topOfToday(ctx, 0);
    const answer: TopList = {
      ...wholeList(data),
      ...trust(ctx.config.baseUrl),
    };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
