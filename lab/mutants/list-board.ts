import type { Mutant } from './mutant.js';

/** In the ledger, its rules and its reads. */
export const BOARD_MUTANTS: readonly Mutant[] = [
  {
    id: '01-sequence-ids',
    bug: 'Poll events take their ids from a sequence, without the lock of their stream: a reader’s cursor passes one that commits late.',
    class: 'B',
    caughtBy: ['test/server/polls/poll-updates-wait.test.ts'],
  },
  {
    id: '02-head-without-lock',
    bug: 'The head of the log is read without its lock: two processes give the same ids and indexes.',
    class: 'B',
    caughtBy: ['test/server/ledger/two-processes.test.ts'],
  },
  {
    id: '03-budget-without-lock',
    bug: 'Budgets are counted first and spent second, without the lock of their counters.',
    class: 'B',
    caughtBy: ['test/server/moderation/reports/report-limits.test.ts'],
  },
  {
    id: '04-budget-of-a-group',
    bug: 'Publications that are committed together all reckon with what was spent before the first of them.',
    class: 'B',
    caughtBy: ['test/server/ledger/parallel.test.ts'],
  },
  {
    id: '05-conflict-unhandled',
    bug: 'A report is inserted without ON CONFLICT: of two with one request_id at once the second is an error.',
    class: 'B',
    caughtBy: ['test/server/moderation/reports/reports.test.ts'],
  },
  {
    id: '06-answer-before-commit',
    bug: 'A publication is acknowledged before its COMMIT is done.',
    class: 'A',
    caughtBy: ['test/server/ledger/lost-commit.test.ts'],
  },
  {
    id: '07-lost-commit-is-failure',
    bug: 'When the answer to COMMIT is lost the write counts as failed, and is made again.',
    class: 'A',
    caughtBy: ['test/server/ledger/lost-commit.test.ts'],
  },
  {
    id: '08-since-inclusive',
    bug: '`since` of the updates is inclusive: a reader that goes on by cursor sees the last message again.',
    class: 'B',
    caughtBy: ['test/server/reading/updates.test.ts'],
  },
  {
    id: '09-day-key-at-midnight',
    bug: 'Yesterday’s name of a network is forgotten at midnight: rolling limits begin again.',
    class: 'C',
    caughtBy: ['test/server/midnights.test.ts'],
  },
  {
    id: '10-lock-before-receipt',
    bug: 'The lock of wrong answers is looked at before the receipt: a retry of what was accepted is refused.',
    class: 'B',
    caughtBy: ['test/server/posting/challenge.test.ts'],
  },
  {
    id: '17-text-left-in-search',
    bug: 'A removal leaves the text in the table that the search looks through.',
    class: 'B',
    caughtBy: ['test/server/moderation/removal-reads.test.ts'],
  },
  {
    id: '19-vote-counted-twice',
    bug: 'A rating that was cast before counts into the score once more.',
    class: 'B',
    caughtBy: ['test/server/votes/vote-parallel.test.ts'],
  },
  {
    id: '41-votes-of-a-group',
    bug: 'Of two votes of one network that are counted together, both change the score.',
    class: 'B',
    caughtBy: ['test/server/votes/vote-parallel.test.ts'],
  },
  {
    id: '20-ballot-at-the-end',
    bug: 'A ballot still counts in the very millisecond in which its poll closes.',
    class: 'B',
    caughtBy: ['test/server/polls/poll-closing.test.ts'],
  },
  {
    id: '21-receipt-rewritten',
    bug: 'The receipt read later is not the one first given: its status tells of the retry.',
    class: 'B',
    caughtBy: ['test/server/posting/idempotency.test.ts'],
  },
  {
    id: '25-signs-a-rolled-back-log',
    bug: 'A board whose database was rolled back goes on to sign heads.',
    class: 'A',
    caughtBy: ['test/mesh/guard/guard.test.ts'],
  },
  {
    id: '34-body-normalised',
    bug: 'Bodies are compared in a normalised form: another text passes for a retry.',
    class: 'B',
    caughtBy: ['test/server/posting/idempotency.test.ts'],
  },
  {
    id: '37-time-goes-back',
    bug: '`created_at` follows the clock when that is set back.',
    class: 'C',
    caughtBy: ['test/server/posting/clock-jumps.test.ts'],
  },
  {
    id: '38-funnel-not-rechecked',
    bug: 'The funnel rule is not evaluated again under the lock.',
    class: 'B',
    caughtBy: ['test/server/posting/funnel.test.ts'],
  },
  {
    id: '43-key-not-rechecked',
    bug: 'The signing key is not looked at again under the lock: one that was revoked meanwhile still signs.',
    class: 'B',
    caughtBy: ['test/server/posting/signed-publish.test.ts'],
  },
  {
    id: '49-hidden-in-top',
    bug: 'Topics that ratings hid stay among the best.',
    class: 'B',
    caughtBy: ['test/server/reading/top.test.ts'],
  },
  {
    id: '52-vote-from-any-network',
    bug: 'The ticket of a vote works from any network.',
    class: 'B',
    caughtBy: [
      'test/server/votes/vote-cast.test.ts',
      'test/server/polls/ballot-cast.test.ts',
    ],
  },
  {
    id: '53-erased-text-kept',
    bug: 'An erasure keeps the sealed text.',
    class: 'B',
    caughtBy: ['test/server/moderation/removal-reads.test.ts'],
  },
  {
    id: '55-ticket-of-another-use',
    bug: 'A sealed ticket opens for another message or endpoint.',
    class: 'E',
    caughtBy: ['test/server/votes/sealed-tickets.test.ts'],
  },
  {
    id: '76-wrong-answers-unbounded',
    bug: 'Wrong answers of one moment have rows without a bound.',
    class: 'E',
    caughtBy: ['test/server/votes/sealed-tickets.test.ts'],
  },
  {
    id: '77-jump-of-the-clock-followed',
    bug: 'Messages are stamped with a clock that jumped ahead.',
    class: 'C',
    caughtBy: ['test/server/steady-clock.test.ts'],
  },
];
