import { chainOf, readKeyEvents } from '../../server/ledger/key-state.js';
import { appendKeyStep } from '../../server/ledger/record-key-step.js';
import { rateLimited } from '../../server/db/budgets.js';
import type { Context } from '../../server/context.js';
import type { BoardError } from '../../server/errors.js';
import { takeKeyBudgets } from '../../server/agents/key-budgets.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';
import type { Turn } from '../../server/ledger/append-context.js';
import type { CounterKeys } from '../../server/http/rate-limits/network-keys.js';
import { mergeKeys } from './merge-keys.js';
import { relayRefusal } from './relay-refusals.js';

/** The events of an envelope, and who pays for recording them. */
export type BroughtKeys = {
  agent: string;
  notes: readonly string[];
  counters: CounterKeys;
};

/**
 * Registers an agent's keys on the fly, under the head lock, with the budgets
 * of `POST /api/keys`. Answers why it had to stop; what was recorded before
 * stays (spec/mesh.md §B13).
 */
export async function recordKeys(
  ctx: Context,
  turn: Turn,
  { agent, notes, counters }: BroughtKeys,
): Promise<BoardError | null> {
  const events = await readKeyEvents(turn.tx, OWN_LOG, agent);
  const merged = mergeKeys(chainOf(events), agent, notes);
  if (!merged.ok) return relayRefusal(merged.reason, 'envelope.keys');
  for (const step of merged.value.steps) {
    const { limits } = ctx;
    const { tx, now } = turn;
    const blocked = await takeKeyBudgets(tx, step, counters, limits, now);
    if (blocked !== null) return rateLimited(blocked);
    await appendKeyStep(turn, step);
  }
  return null;
}
