import {
  type BudgetCheck,
  type BudgetScope,
  boardKey,
  networkKey,
  type Spend,
  windows,
} from '../db/budgets.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';
import type { LimitName } from '../limits.js';

const { minute, hour } = windows;

function both(
  scope: BudgetScope,
  counters: CounterKeys,
  network: readonly (readonly [LimitName, number])[],
  board: LimitName,
): BudgetCheck[] {
  const key = networkKey(counters);
  return [
    ...network.map(([limit, window]) => ({ limit, scope, key, window })),
    { limit: board, scope, key: boardKey, window: minute },
  ];
}

/** Poll vote previews (spec/board.md §13). */
export function ballotPreviewChecks(counters: CounterKeys): BudgetCheck[] {
  return both(
    'ballot_preview',
    counters,
    [['ballot_previews_per_network_hour', hour]],
    'ballot_previews_per_board_minute',
  );
}

/** Poll vote submissions, whatever becomes of them. */
export function ballotAttemptChecks(counters: CounterKeys): BudgetCheck[] {
  return both(
    'ballot_attempt',
    counters,
    [['ballot_attempts_per_network_minute', minute]],
    'ballot_attempts_per_board_minute',
  );
}

/** New ballots, across all polls. */
export function ballotChecks(counters: CounterKeys): BudgetCheck[] {
  return both(
    'ballot',
    counters,
    [
      ['ballots_per_network_minute', minute],
      ['ballots_per_network_hour', hour],
    ],
    'ballots_per_board_minute',
  );
}

/** What a ballot spends once it is accepted. */
export function ballotSpends({ today }: CounterKeys): Spend[] {
  return [
    { scope: 'ballot', key: today },
    { scope: 'ballot', key: boardKey.today },
  ];
}
