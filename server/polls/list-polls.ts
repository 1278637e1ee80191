import type { RequestHandler } from 'express';
import { POLL_COLUMNS, POLLS, type PollRow } from '../ballots/poll-row.js';
import { pollViewOf } from '../ballots/poll-view.js';
import type { Context } from '../context.js';
import { envelope, trust } from '../envelope.js';
import { sendJson } from '../http/conditional.js';
import { canonical, readQuery } from '../http/query.js';
import { pageLimit } from '../threads/view-options.js';
import type { PollList } from './answers.js';

/**
 * Newest first. A list of all polls leaves out hidden topics, as every default
 * discovery does; whoever names the topic has found it already.
 */
const PAGE = `SELECT ${POLL_COLUMNS} FROM ${POLLS}
  WHERE ($1::bigint IS NULL OR poll.id < $1)
    AND ($2::bigint IS NULL OR poll.root_id = $2)
    AND ($2 IS NOT NULL OR topic.visibility NOT IN
      ('hidden_by_ratings', 'hidden_by_decision'))
    AND ($3::bigint IS NULL OR (poll.closed_at IS NULL
      AND poll.closes_at > $3 AND topic.removed_at IS NULL))
  ORDER BY poll.id DESC LIMIT $4`;

/**
 * GET /api/polls: polls, newest first (spec/board.md §6.3).
 * `cursor` is an exclusive upper poll ID, in the request and in the answer.
 */
export function listPolls(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const query = readQuery(req);
    const wanted = {
      state: query.oneOf('state', ['open']),
      root_id: query.integer('root_id', { default: null }),
      limit: pageLimit(ctx, query, ctx.limits.messages_page_default),
    };
    const before = query.integer('cursor', { default: null });
    const rows = await ctx.reads.query<PollRow>(PAGE, [
      before,
      wanted.root_id,
      wanted.state === 'open' ? ctx.clock.now() : null,
      wanted.limit + 1,
    ]);
    const page = rows.slice(0, wanted.limit);
    const cursor = page.at(-1)?.id ?? before ?? 0;
    const next =
      rows.length > page.length
        ? `${baseUrl}/api/polls${canonical({ ...wanted, cursor })}`
        : null;
    const data = page.map((row) => pollViewOf(ctx, row));
    const answer: PollList = {
      ...envelope(data, cursor, next),
      ...trust(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
