import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { sendJson } from '../http/conditional.js';
import { readQuery } from '../http/query.js';
import type { TopicList } from '../threads/answers.js';
import { OWN } from '../threads/source.js';
import { topicList } from '../threads/topic-list.js';
import { topicView } from '../threads/topic-view.js';

/**
 * GET /api/threads: roots, newest or last active first (spec/board.md §2.2).
 */
export function threads(ctx: Context): RequestHandler {
  const url = `${ctx.config.baseUrl}/api/threads`;
  const own = { source: OWN, url, show: topicView };
  return async (req, res) => {
    const answer: TopicList = await topicList(ctx, readQuery(req), own);
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
