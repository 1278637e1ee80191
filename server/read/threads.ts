import type { RequestHandler } from 'express';
import { ROOMS } from '../../protocol/room.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { sendJson } from '../http/conditional.js';
import { canonical, readQuery } from '../http/query.js';
import type { TopicList } from './answers.js';
import { envelope, trust } from './envelope.js';
import { publicMessage, type ViewOptions } from './message-view.js';
import { type TopicRow, topicPage } from './threads-page.js';
import { pageLimit, viewOptions } from './view-options.js';
import { visibilityState } from './visibility.js';

/** GET /api/threads: roots, newest or last active first (decisions 2.2). */
export function threads(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const query = readQuery(req);
    const options = viewOptions(ctx, query);
    const { preview, full } = options;
    const wanted = {
      room: query.oneOf('room', ROOMS),
      sort: query.oneOf('sort', ['new', 'active']) ?? 'new',
      visibility: query.oneOf('visibility', ['hidden', 'all']),
      unanswered: query.flag('unanswered'),
      limit: pageLimit(ctx, query, ctx.limits.topics_page_default),
      before: query.integer('before', { default: null }),
      snapshot: query.integer('snapshot', { default: null }),
    };
    const { newest, topics } = await topicPage(
      ctx.reads,
      { ...wanted, preview, limit: wanted.limit + 1 },
      options.referencesMax,
    );
    const page = topics.slice(0, wanted.limit);
    const nextBefore =
      topics.length > page.length ? (page.at(-1)?.id ?? null) : null;
    const snapshot = Math.min(wanted.snapshot ?? newest, newest);
    const more = { ...wanted, before: nextBefore, snapshot, preview, full };
    const next = nextBefore === null ? null : canonical(more);
    const data = page.map((row) => topic(row, options));
    const answer: TopicList = {
      ...envelope(data, newest, next && `${baseUrl}/api/threads${next}`),
      next_before: nextBefore,
      snapshot,
      ...trust(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}

/** A removed root is its tombstone and nothing else. */
function topic(row: TopicRow, options: ViewOptions) {
  const message = publicMessage(row, options);
  if ('removed' in message) return message;
  return {
    ...message,
    reply_count: row.reply_count,
    last_reply_id: row.last_reply_id,
    last_activity_at: publicTime(row.activity_at),
    visibility: visibilityState(row.visibility),
  };
}
