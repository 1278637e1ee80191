import type { KeyStep } from '../../protocol/key.js';
import {
  type BudgetCheck,
  boardChecks,
  checksOf,
  fixedKey,
  type NetworkCounters,
  networkKey,
  windows,
} from '../db/budgets.js';

/**
 * What a recorded event spends; a rotation also one of its agent's day. A
 * conflict is no rotation: it ends the agent, and has to be on record. Refused
 * and repeated events spend nothing.
 */
export function keyChecks(
  { kind, event: { agent, op } }: KeyStep,
  counters: NetworkCounters,
): BudgetCheck[] {
  const { hour, day } = windows;
  const isRotation = op === 'rotate' && kind === 'advance';
  return [
    ...checksOf('key', networkKey(counters), [['keys_per_network_hour', hour]]),
    ...boardChecks('key', 'keys_per_board_hour', hour, counters),
    ...(isRotation
      ? checksOf('key_rotation', fixedKey(agent), [
          ['key_rotations_per_agent_day', day],
        ])
      : []),
  ];
}
