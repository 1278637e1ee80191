import type { LimitName } from '../../server/limits.js';
import { checkBudgets } from './history/budgets.js';
import type { History } from './history/history.js';
import { checkMessages } from './history/messages.js';
import { checkPolls } from './history/polls.js';
import { checkReads } from './history/reads.js';
import type { State } from './history/state.js';
import { checkVotes } from './history/votes.js';

export type Invariant = `I${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12}`;

export type Violation = { invariant: Invariant; what: string };

export type Limits = Partial<Record<LimitName, number>>;

/**
 * Holds a history of requests against what is there in the end:
 *
 * - I1 acknowledged means there, with the same id, text and title
 * - I2 one row per request_id · I3 ids gapless, in the order of commits
 * - I4 a reader along a cursor saw every row once · I5 times never go back
 * - I6 score = sum of votes, one per message and network
 * - I7 a reply and its vote both or neither
 * - I8 counts = ballots, none after the deadline, one closing event
 * - I9 no more accepted than any budget in any window
 * - I10 receipts are the same for ever but for `status`
 * - I11 what was previewed is what is stored and logged
 * - I12 what is removed is in no read path
 *
 * @param limits the budgets in force; those not named are not looked at
 */
export function check(
  history: History,
  state: State,
  limits: Limits = {},
): Violation[] {
  return [
    ...checkMessages(history, state),
    ...checkReads(history, state),
    ...checkVotes(history, state),
    ...checkPolls(history, state),
    ...checkBudgets(history, state, limits),
  ];
}
