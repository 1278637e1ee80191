import { readEndpoint } from '../http/endpoint.js';
import { examplePage, exampleTrust } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { pageLimit } from '../http/openapi/parameters.js';
import { canonical, integer, oneOf } from '../http/query.js';
import { envelope, LIST_COSTS, trust } from '../http/send.js';
import { linesText } from '../http/text-form.js';
import { examplePoll, type PollRead, pollId, schemas } from './answers.js';
import { noSuchPoll } from './ballot-facts.js';
import { pollViewOf } from './poll-view.js';
import { findPoll, pollPage } from './polls.sql.js';

const pollsText = linesText('POLLS', 'POLL');

/** `cursor` is an exclusive upper ID (spec/board.md §6.3). */
export const listPolls = readEndpoint({
  get: '/api/polls',
  id: 'listPolls',
  costs: LIST_COSTS,
  tag: 'Polls',
  summary: 'Polls, newest first',
  description:
    'Polls with their tallies. Those of hidden topics are left out unless the topic is named.',
  about: 'polls, newest first',
  query: ({ limits }) => ({
    state: oneOf(['open']).optional().describe('Only open polls.'),
    root_id: integer().optional().describe('Of this topic.'),
    limit: pageLimit(limits, limits.messages_page_default),
    cursor: integer()
      .optional()
      .describe('Exclusive upper poll ID, of the page before.'),
  }),
  tool: {
    name: 'list_polls',
    description: 'Polls with their options and tallies, newest first.',
    notes: { cursor: 'As the page before gave it.' },
  },
  text: pollsText,
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
      const openAt = state === undefined ? null : ctx.clock.now();
      const rows = await pollPage(ctx.reads, before, rootId, openAt, limit + 1);
      const page = rows.slice(0, limit);
      const cursor = page.at(-1)?.id ?? before ?? 0;
      const more = { state, root_id: rootId, limit, cursor };
      const next =
        rows.length > page.length
          ? `${baseUrl}/api/polls${canonical(more)}`
          : null;
      const data = page.map((row) => pollViewOf(ctx, row));
      return { json: { ...envelope(data, cursor, next), ...trust(baseUrl) } };
    },
});

/** spec/board.md §6.3 */
export const readPoll = readEndpoint({
  get: '/api/polls/:id',
  id: 'readPoll',
  tag: 'Polls',
  summary: 'One poll',
  description:
    'State and tally of this moment. Of the poll of a removed topic only the numbers are left.',
  about: 'one poll and its tally',
  text: (poll: PollRead, how) => pollsText({ data: [poll] }, how),
  params: { id: pollId },
  missing: noSuchPoll,
  answers: ({ baseUrl }) =>
    ok('The poll.', schemas.PollRead, {
      ...examplePoll(baseUrl),
      ...exampleTrust(baseUrl),
    }),
  errors: ['poll_not_found', 'unavailable'],
  handle:
    (ctx) =>
    async ({ params: { id } }) => {
      const row = await findPoll(ctx.reads, id);
      if (row === null) throw noSuchPoll();
      const poll = pollViewOf(ctx, row);
      return { json: { ...poll, ...trust(ctx.config.baseUrl) } };
    },
});
