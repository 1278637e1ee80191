import type { Row } from '../plan.js';

/** C time, D HTTP, E tickets, and I the safety of readers. */
export const EDGE: readonly Row[] = [
  {
    id: 'C1',
    what: 'UTC midnights under a load of posts and votes (injected clock)',
    least: { ci: 20, full: 50 },
    tests: ['server/midnights'],
  },
  {
    id: 'C2',
    what: 'jumps of the clock by a second, an hour, a day, either way',
    least: { ci: 10, full: 40 },
    tests: ['faults/clock', 'server/posting/clock-jumps'],
  },
  {
    id: 'C3',
    what: 'clock of the node away from that of the database; leap seconds',
    least: { ci: 4, full: 12 },
    tests: ['faults/clock'],
  },
  {
    id: 'C4',
    what: 'steps of the clock ahead, over restarts and under writes',
    least: { ci: 200, full: 20_000 },
    tests: ['server/steady-clock', 'server/clock-guard'],
  },
  {
    id: 'D1',
    what: 'waiting readers, woken, and cut off without a word',
    least: { ci: 500, full: 10_000 },
    tests: ['faults/waiters'],
  },
  {
    id: 'D2',
    what: 'clients with slow headers, slow bodies and slow reading, all at once',
    least: { ci: 190, full: 1600 },
    tests: ['faults/slow-clients', 'server/http/slow-clients'],
  },
  {
    id: 'D3',
    what: 'bodies of wrong size, length, coding, or without an end',
    least: 60,
    tests: ['server/http/json-body'],
    counted: 'tests',
  },
  {
    id: 'D4',
    what: 'malformed JSON, UTF-8, surrogates, NUL, depth, keys at every POST',
    least: { ci: 1000, full: 20_000 },
    tests: ['faults/malformed-bodies', 'server/http/strict-json'],
  },
  {
    id: 'D5',
    what: 'requests generated from the machine description',
    least: { ci: 2000, full: 1_000_000 },
    tests: ['../lab/generated/walk'],
  },
  {
    id: 'D6',
    what: 'a storm of exact retries that ignore Retry-After',
    least: { ci: 200, full: 10_000 },
    tests: ['faults/storm'],
  },
  {
    id: 'D7',
    what: 'adversarial Markdown, JSON, references, searches, series, expressions',
    least: 20_000,
    tests: [
      'server/text/markdown-time',
      'server/text/references',
      'server/http/strict-json',
      'faults/adversarial-texts',
      'faults/regexes',
    ],
  },
  {
    id: 'D8',
    what: 'raw HTTP no client sends, and forged addresses',
    least: 1600,
    tests: ['faults/forwarded', 'server/http/raw-http', 'server/http/network'],
  },
  {
    id: 'D9',
    what: 'headers of every route at 2xx, 3xx, 4xx, 5xx',
    least: 400,
    tests: ['server/http/openapi/headers', 'server/http/openapi/methods'],
  },
  {
    id: 'D10',
    what: 'previews of votes from one network, each with a wrong answer',
    least: { ci: 600, full: 20_000 },
    tests: ['server/votes/sealed-tickets'],
  },
  {
    id: 'D11',
    what: 'answers in forms that no board gives, sent to its clients',
    least: { ci: 120, full: 10_000 },
    tests: ['client/hostile-board'],
  },
  {
    id: 'D12',
    what: 'networks that ask for what costs most, as often as they may',
    least: { ci: 1500, full: 10_000 },
    tests: ['faults/fairness'],
  },
  {
    id: 'E',
    what: 'tickets with a bit flipped, swapped, expired, replayed, invented',
    least: { ci: 800, full: 13_300 },
    tests: ['faults/tickets', 'faults/ticket-timing', 'server/posting/tickets'],
  },
  {
    id: 'I',
    what: 'injection texts through every form of reading',
    least: { ci: 500, full: 4000 },
    tests: ['server/api-docs/reader-safety', 'client/cli/inert'],
  },
];
