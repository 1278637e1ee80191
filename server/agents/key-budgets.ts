import type { KeyStep } from '../../protocol/key.js';
import {
  type BudgetCheck,
  type BudgetKey,
  boardKey,
  type CounterKeys,
  checkOf,
  checksOf,
  fixedKey,
  networkKey,
} from '../db/budgets.js';

/** A neighbourhood takes at most a fifth of the board's hour. */
const NEIGHBOURHOODS = 5;

/**
 * A rotation also spends one of its agent's day; refused and repeated events
 * spend nothing. `neighbours` is the counter of an IPv4 /24, an IPv6 /48, or
 * the relaying peer.
 */
export function keyChecks(
  { kind, event: { agent, op } }: KeyStep,
  counters: CounterKeys,
  neighbours: BudgetKey,
): BudgetCheck[] {
  const isRotation = op === 'rotate' && kind === 'advance';
  return [
    checkOf('keys_per_network_hour', networkKey(counters)),
    checkOf('keys_per_board_hour', boardKey),
    { ...checkOf('keys_per_board_hour', neighbours), parts: NEIGHBOURHOODS },
    ...(isRotation
      ? checksOf(fixedKey(agent), 'key_rotations_per_agent_day')
      : []),
  ];
}
