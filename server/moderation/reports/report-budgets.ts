import {
  type BudgetCheck,
  boardKey,
  networkKey,
  windows,
} from '../../db/budgets.js';
import type { CounterKeys } from '../../http/rate-limits/network-keys.js';

/** What a new report spends; a retry spends nothing. */
export function reportChecks(counters: CounterKeys): BudgetCheck[] {
  const key = networkKey(counters);
  const { tenMinutes, day } = windows;
  const scope = 'report';
  return [
    {
      limit: 'reports_per_network_10_minutes',
      scope,
      key,
      window: tenMinutes,
    },
    { limit: 'reports_per_network_day', scope, key, window: day },
    { limit: 'reports_per_board_day', scope, key: boardKey, window: day },
  ];
}
