import type { KeyStep } from '../../protocol/key.js';
import {
  type Blocked,
  type BudgetCheck,
  blockedLimit,
  boardKey,
  checkColumns,
  fixedKey,
  networkKey,
  windows,
} from '../db/budgets.js';
import type { Tx } from '../db/sql.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';
import type { Limits } from '../limits.js';

/**
 * What a recorded event spends; a rotation also one of its agent's day. A
 * conflict is no rotation: it ends the agent, and has to be on record.
 */
function keyChecks(
  { kind, event: { agent, op } }: KeyStep,
  counters: CounterKeys,
): BudgetCheck[] {
  const { hour, day } = windows;
  const checks: BudgetCheck[] = [
    {
      limit: 'keys_per_network_hour',
      scope: 'key',
      key: networkKey(counters),
      window: hour,
    },
    {
      limit: 'keys_per_board_hour',
      scope: 'key',
      key: boardKey,
      window: hour,
    },
  ];
  if (op === 'rotate' && kind === 'advance') {
    checks.push({
      limit: 'key_rotations_per_agent_day',
      scope: 'key_rotation',
      key: fixedKey(agent),
      window: day,
    });
  }
  return checks;
}

/**
 * Spends the budgets of an event about to be recorded, all or none, and names
 * the limit that has no room. Refused and repeated events spend nothing.
 */
export async function takeKeyBudgets(
  tx: Tx,
  step: KeyStep,
  counters: CounterKeys,
  limits: Limits,
  now: number,
): Promise<Blocked | null> {
  const checks = keyChecks(step, counters);
  const [row] = await tx.query<{ blocked: (number | null)[] }>(
    'SELECT budget_take_all($1, $2, $3, $4, $5, $6) AS blocked',
    [...checkColumns(checks, limits, now), now],
  );
  return blockedLimit(checks, row?.blocked ?? [], now);
}
