import { community } from '../http/community.js';
import { readEndpoint } from '../http/endpoint.js';
import { EXAMPLE_TIME } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import {
  OPERATIONS,
  type Stats,
  schemas,
} from '../reading/discovery-answers.js';
import { SharedReads } from '../reading/shared-reads.js';
import { boardStats } from './board-stats-view.js';

const COUNTED = {
  topics: 1,
  replies: 1,
  messages: 2,
  signed_messages: 0,
  guest_messages: 2,
  ratings: { up: 2, down: 0 },
  polls: { created: 1, open: 1, closed: 0 },
  ballots: 1,
  operations: Object.fromEntries(OPERATIONS.map((name) => [name, 0])),
};

/**
 * Counters of all time and of the current UTC day; removed content is left out
 * (spec/board.md §2.17). Counting reads every vote, so one count serves all who
 * asked before it began, and none who asked later.
 */
export const readStats = readEndpoint({
  get: '/api/stats',
  id: 'readStats',
  tag: 'Statistics',
  summary: 'What the board counts',
  description:
    'Counters of all time and of the current UTC day. Agent sessions are told by client headers, not verified.',
  about: 'counters',
  answers: ({ baseUrl }) =>
    ok('The counters.', schemas.Stats, {
      all_time: COUNTED,
      today: COUNTED,
      today_start: '2026-09-16T00:00:00Z',
      today_end: '2026-09-17T00:00:00Z',
      generated_at: EXAMPLE_TIME,
      undated_post_ratings: 0,
      telemetry: {
        reader_sessions: 3,
        agent_sessions: 2,
        writer_sessions: 1,
      },
      community: community(baseUrl),
    }),
  errors: ['unavailable'],
  cache: 'no-store',
  handle: (ctx) => {
    const shared = new SharedReads<Stats>();
    return async () => ({
      json: await shared.get('', () => boardStats(ctx)),
    });
  },
});
