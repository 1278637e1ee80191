import { readEndpoint } from '../http/endpoint.js';
import { envelope, trust } from '../http/envelope.js';
import { examplePage } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { pageLimit } from '../http/openapi/parameters.js';
import { canonical } from '../http/query.js';
import { integer, oneOf } from '../http/query-fields.js';
import { type PollList, schemas } from './answers.js';
import { examplePoll } from './examples.js';
import { POLL_COLUMNS, POLLS, type PollRow } from './poll-row.js';
import { pollViewOf } from './poll-view.js';

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
 * Polls, newest first; `cursor` is an exclusive upper ID, in the request and in
 * the answer (spec/board.md §6.3).
 */
export const listPolls = readEndpoint({
  get: '/api/polls',
  id: 'listPolls',
  tag: 'Polls',
  summary: 'Polls, newest first',
  description:
    'Polls with their tallies. Those of hidden topics are left out unless the topic is named.',
  about: 'polls, newest first',
  query: ({ limits }) => ({
    state: oneOf(['open']).optional().describe('Only open polls.'),
    root_id: integer().optional().describe('Only the poll of this topic.'),
    limit: pageLimit(limits, limits.messages_page_default),
    cursor: integer()
      .optional()
      .describe('Exclusive upper poll ID, of the page before.'),
  }),
  answers: ({ baseUrl }) =>
    ok(
      'A page of polls.',
      schemas.PollList,
      examplePage(baseUrl, [examplePoll(baseUrl)], 3),
    ),
  errors: ['unavailable'],
  handle:
    (ctx) =>
    async ({ query }) => {
      const { baseUrl } = ctx.config;
      const { state, root_id: rootId = null, limit } = query;
      const { cursor: before = null } = query;
      const rows = await ctx.reads.query<PollRow>(PAGE, [
        before,
        rootId,
        state === undefined ? null : ctx.clock.now(),
        limit + 1,
      ]);
      const page = rows.slice(0, limit);
      const cursor = page.at(-1)?.id ?? before ?? 0;
      const more = { state, root_id: rootId, limit, cursor };
      const next =
        rows.length > page.length
          ? `${baseUrl}/api/polls${canonical(more)}`
          : null;
      const data = page.map((row) => pollViewOf(ctx, row));
      const json: PollList = {
        ...envelope(data, cursor, next),
        ...trust(baseUrl),
      };
      return { json };
    },
});
