import { createHash } from 'node:crypto';
import type { Relay } from '../../protocol/relay.js';
import { utcDay } from '../../server/clock.js';
import type { Context } from '../../server/context.js';
import {
  type CounterKeys,
  checkOf,
  checksOf,
  fixedKey,
  limitsOf,
  networkKey,
} from '../../server/db/budgets.js';
import { takeBudgets } from '../../server/db/budgets.sql.js';
import type { Relayed } from '../../server/posting/index.js';

/** Tags end at midnight: there is no yesterday's name (§B10). */
export function tagCounters(
  { from, network }: Relay,
  now: number,
): CounterKeys {
  const tag = createHash('sha256')
    .update(`relayed network\n${from}\n`)
    .update(network)
    .digest();
  return { day: utcDay(now), yesterday: tag, today: tag, tomorrow: tag };
}

/** The network is the peer's; the peer has caps of its own (§B10). */
export function peerBudgets({ from }: Relay): Relayed {
  const key = fixedKey(from);
  return {
    via: from,
    checks: checksOf(key, ...limitsOf('relay')),
    spends: [{ scope: 'relay', key: key.today }],
  };
}

/**
 * Spent by tag and by peer for each try (spec/board.md §5.7).
 * @throws BoardError `rate_limited`
 */
export async function takeAttempt(
  { writes, limits }: Pick<Context, 'writes' | 'limits'>,
  { from }: Relay,
  counters: CounterKeys,
  now: number,
): Promise<void> {
  const payers = [networkKey(counters), fixedKey(`relay ${from}`)];
  const checks = payers.map((key) =>
    checkOf('publish_attempts_per_network_minute', key),
  );
  await takeBudgets(writes, { checks, limits, now });
}
