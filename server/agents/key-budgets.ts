import type { KeyStep } from '../../protocol/key.js';
import {
  type BudgetCheck,
  type BudgetKey,
  boardKey,
  type CounterKeys,
  checksOf,
  fixedKey,
  networkKey,
  windows,
} from '../db/budgets.js';

/** Who shares a place or a way in takes at most a fifth of the board's hour. */
const NEIGHBOURHOODS = 5;

/**
 * What a recorded event spends; a rotation also one of its agent's day. A
 * conflict is no rotation: it ends the agent, and has to be on record. Refused
 * and repeated events spend nothing. `neighbours` is the counter of an IPv4 /24,
 * of an IPv6 /48, or of the peer that relays.
 */
export function keyChecks(
  { kind, event: { agent, op } }: KeyStep,
  counters: CounterKeys,
  neighbours: BudgetKey,
): BudgetCheck[] {
  const { hour, day } = windows;
  const isRotation = op === 'rotate' && kind === 'advance';
  return [
    ...checksOf('key', networkKey(counters), [['keys_per_network_hour', hour]]),
    ...checksOf('key', boardKey, [['keys_per_board_hour', hour]]),
    ...checksOf('key', neighbours, [['keys_per_board_hour', hour]]).map(
      (check) => ({ ...check, parts: NEIGHBOURHOODS }),
    ),
    ...(isRotation
      ? checksOf('key_rotation', fixedKey(agent), [
          ['key_rotations_per_agent_day', day],
        ])
      : []),
  ];
}
