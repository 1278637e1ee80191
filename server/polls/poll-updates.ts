import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { envelope, trust } from '../envelope.js';
import { sendJson } from '../http/conditional.js';
import { LongPoll } from '../http/long-poll.js';
import { canonical, readQuery } from '../http/query.js';
import { pageLimit } from '../threads/view-options.js';
import type { PollEventList } from './answers.js';
import { type EventRow, pollEventView } from './poll-event-view.js';

const COLUMNS = `e.id, e.poll_id, poll.root_id, e.kind, e.created_at, e.data,
  CASE WHEN topic.removed_at IS NULL THEN poll.options END AS options
  FROM poll_event e JOIN poll ON poll.id = e.poll_id
    JOIN message topic ON topic.id = poll.root_id`;
const OF_ALL = `SELECT ${COLUMNS} WHERE e.id > $1 ORDER BY e.id LIMIT $2`;
const OF_ONE = `SELECT ${COLUMNS} WHERE e.id > $1 AND e.poll_id = $3
  ORDER BY e.id LIMIT $2`;

/**
 * GET /api/polls/updates: poll events above a cursor of their own, in the
 * order in which they were committed, waited for if asked (spec/board.md §6.4).
 */
export function pollUpdates(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const waits = new LongPoll(ctx, 'polls');
  return async (req, res) => {
    const query = readQuery(req);
    const since = query.integer('since', { default: 0 });
    const pollId = query.integer('poll_id', { default: null });
    const limit = pageLimit(ctx, query, ctx.limits.messages_page_default);
    const wait = query.integer('wait', {
      max: ctx.limits.wait_max_seconds,
      default: 0,
    });
    const look = () =>
      pollId === null
        ? ctx.reads.query<EventRow>(OF_ALL, [since, limit + 1])
        : ctx.reads.query<EventRow>(OF_ONE, [since, limit + 1, pollId]);
    const any = (rows: EventRow[]) => rows.length > 0;
    const rows = await waits.until(req, res, wait, look, any);
    if (res.destroyed) return;
    const data = rows.slice(0, limit).map(pollEventView);
    const cursor = data.at(-1)?.id ?? since;
    const more = { since: cursor, poll_id: pollId, limit, wait: wait || null };
    const next =
      rows.length > limit
        ? `${baseUrl}/api/polls/updates${canonical(more)}`
        : null;
    const answer: PollEventList = {
      ...envelope(data, cursor, next),
      ...trust(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}
