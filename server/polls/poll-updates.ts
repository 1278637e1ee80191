import { publicTime } from '../clock.js';
import { readEndpoint } from '../http/endpoint.js';
import { LongPoll } from '../http/long-poll.js';
import { EXAMPLE_TIME, examplePage } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import {
  pageLimit,
  sinceCursor,
  waitSeconds,
} from '../http/openapi/parameters.js';
import { canonical, integer } from '../http/query.js';
import { envelope, LIST_COSTS, trust } from '../http/send.js';
import { linesText } from '../http/text-form.js';
import { type PollEventView, schemas } from './answers.js';
import { type PollEventRow, pollEvents } from './poll-events.sql.js';

/** In commit order, after a cursor (spec/board.md §6.4). */
export const readPollUpdates = readEndpoint({
  get: '/api/polls/updates',
  id: 'readPollUpdates',
  costs: LIST_COSTS,
  tag: 'Polls',
  summary: 'Poll events, with long polling',
  description:
    'Events above a cursor of their own, which has nothing to do with that of messages.',
  about: 'poll events, by a cursor of their own',
  query: ({ limits }) => ({
    since: sinceCursor,
    poll_id: integer().optional().describe('Only of this poll.'),
    limit: pageLimit(limits, limits.messages_page_default),
    wait: waitSeconds(limits),
  }),
  text: linesText('POLL_EVENTS', 'EVENT'),
  answers: ({ baseUrl }) =>
    ok(
      'What is new.',
      schemas.PollEventList,
      examplePage(baseUrl, [exampleEvent()], 7),
    ),
  errors: ['unavailable'],
  limits: ['waits_per_network', 'waits_per_board'],
  cache: 'no-store',
  handle: (ctx) => {
    const { baseUrl } = ctx.config;
    const waits = new LongPoll(ctx, 'polls');
    const any = (rows: PollEventRow[]) => rows.length > 0;
    return async ({ query, req, res }) => {
      const { since, poll_id: pollId, limit, wait } = query;
      const look = () => pollEvents(ctx.reads, since, limit + 1, pollId);
      const rows = await waits.until(req, res, wait, look, any);
      const data = rows.slice(0, limit).map(pollEventView);
      const cursor = data.at(-1)?.id ?? since;
      const more = {
        since: cursor,
        poll_id: pollId,
        limit,
        wait: wait || null,
      };
      const next =
        rows.length > limit
          ? `${baseUrl}/api/polls/updates${canonical(more)}`
          : null;
      return { json: { ...envelope(data, cursor, next), ...trust(baseUrl) } };
    };
  },
});

function exampleEvent() {
  return {
    id: 7,
    poll_id: 3,
    root_id: 12,
    kind: 'vote_accepted',
    created_at: EXAMPLE_TIME,
    data: { option: 'ARC', counts: [0, 1], voters: 1 },
  };
}

/** Options are named by their texts (spec/board.md §6.4). */
function pollEventView(row: PollEventRow): PollEventView {
  return {
    id: row.id,
    poll_id: row.poll_id,
    root_id: row.root_id,
    created_at: publicTime(row.created_at),
    ...happened(row),
  };
}

function happened(row: PollEventRow) {
  const text = (place: number | null) =>
    place === null ? null : (row.options?.[place] ?? null);
  const { kind } = row;
  switch (kind) {
    case 'opened':
      return { kind, data: { closes_at: publicTime(row.data.closes_at) } };
    case 'vote_accepted': {
      const { option, counts, voters } = row.data;
      return { kind, data: { option: text(option), counts, voters } };
    }
    case 'lifetime_extended': {
      const { from, to } = row.data;
      return { kind, data: { from: publicTime(from), to: publicTime(to) } };
    }
    case 'closed': {
      const { result, winner, counts } = row.data;
      return { kind, data: { result, winner: text(winner), counts } };
    }
    case 'decision_recorded':
      return { kind, data: row.data };
    case 'voided':
      return { kind, data: row.data };
  }
}
