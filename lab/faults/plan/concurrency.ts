import type { Row } from '../plan.js';

/** B: concurrency. */
export const CONCURRENCY: readonly Row[] = [
  {
    id: 'B1',
    what: '200 publishes of one request_id at once',
    least: { ci: 1000, full: 10_000 },
    tests: [
      'server/ledger/parallel#of one ticket',
      'server/ledger/parallel#of 200 tickets',
      'server/ledger/parallel#of one network',
    ],
  },
  {
    id: 'B2',
    what: '200 bodies for one request_id at once',
    least: { ci: 400, full: 4000 },
    tests: ['server/ledger/parallel#with other bodies'],
  },
  {
    id: 'B3',
    what: '200 ratings of one network at once, both signs',
    least: { ci: 1000, full: 10_000 },
    tests: ['server/votes/vote-parallel'],
  },
  {
    id: 'B4',
    what: '200 networks rate at once, from real addresses',
    least: { ci: 200, full: 2000 },
    tests: ['faults/real-networks'],
  },
  {
    id: 'B5',
    what: '200 writes and exact retries at once against each limit, at midnight',
    least: 8000,
    tests: [
      'faults/limits',
      'server/ledger/parallel#against one limit',
      'server/posting/signed-limits',
      'server/polls/ballot-budgets',
      'server/polls/open-polls',
    ],
  },
  {
    id: 'B6',
    what: 'messages written while 20 readers follow a cursor',
    least: { ci: 20, full: 1000 },
    tests: [
      'server/ledger/cursors',
      'server/polls/poll-updates-wait#misses none',
    ],
  },
  {
    id: 'B7',
    what: '200 wrong answers at once',
    least: { ci: 400, full: 4000 },
    tests: ['server/posting/challenge'],
  },
  {
    id: 'B8',
    what: 'replies with a vote while node or PostgreSQL are killed',
    least: { ci: 30, full: 300 },
    tests: ['faults/node-killed', 'faults/database-killed#comes back'],
  },
  {
    id: 'B9',
    what: '200 ballots around a deadline, two closers at once',
    least: { ci: 200, full: 4000 },
    tests: ['server/polls/ballot-parallel'],
  },
  {
    id: 'B10',
    what: 'races for a funnel, a series and the last open poll',
    least: { ci: 6, full: 150 },
    tests: [
      'server/posting/funnel#come at once',
      'server/posting/series#come at once',
      'server/polls/open-polls#B10',
    ],
  },
  {
    id: 'B11',
    what: 'removals and reinstatements during reads on every path',
    least: { ci: 30, full: 400 },
    tests: [
      'server/moderation/removal-cycles',
      'server/moderation/removal-reads',
    ],
  },
  {
    id: 'B12',
    what: 'runs of random commands against a simple model of a board',
    least: { ci: 30, full: 2000 },
    tests: ['../lab/generated/sequences'],
  },
  {
    id: 'B13',
    what: 'node, PostgreSQL and connections killed by turns under a mixed load',
    least: { ci: 3, full: 100 },
    tests: ['faults/mix'],
  },
  {
    id: 'B14',
    what: 'rotations, revocations and posts of one agent, sent at once',
    least: { ci: 10, full: 1500 },
    tests: ['server/agents/key-races'],
  },
  {
    id: 'B15',
    what: 'keys of the board rotated at once, in a start, under a backup',
    least: { ci: 1, full: 20 },
    tests: ['mesh/restore/rotate-races'],
  },
];
