import { readEndpoint } from '../http/endpoint.js';
import { trust } from '../http/envelope.js';
import { exampleTrust } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { type PollRead, pollId, schemas } from './answers.js';
import { noSuchPoll } from './ballot-facts.js';
import { examplePoll } from './examples.js';
import { POLL_COLUMNS, POLLS, type PollRow } from './poll-row.js';
import { pollViewOf } from './poll-view.js';

/** One poll, its state and tally of this moment (spec/board.md §6.3). */
export const readPoll = readEndpoint({
  get: '/api/polls/:id',
  id: 'readPoll',
  tag: 'Polls',
  summary: 'One poll',
  description:
    'State and tally of this moment. Of the poll of a removed topic only the numbers are left.',
  about: 'one poll and its tally',
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
      const [row] = await ctx.lookups.query<PollRow>(
        `SELECT ${POLL_COLUMNS} FROM ${POLLS} WHERE poll.id = $1`,
        [id],
      );
      if (row === undefined) throw noSuchPoll();
      const poll = pollViewOf(ctx, row);
      const json: PollRead = { ...poll, ...trust(ctx.config.baseUrl) };
      return { json };
    },
});
