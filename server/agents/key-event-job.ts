import { chainOf, readKeyEvents } from '../ledger/key-state.js';
import { appendKeyStep } from '../ledger/record-key-step.js';
import { rateLimited } from '../db/budgets.js';
import type { Context } from '../context.js';
import type { Job } from '../ledger/batch.js';
import { refuse } from '../moderation/record-decision.js';
import { OWN_LOG } from '../ledger/nodes.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';
import type { KeyAnswer } from './answers.js';
import { takeKeyBudgets } from './key-budgets.js';
import { conflictRefusal, keyAnswer, placeEvent } from './place-event.js';

export type KeyEventResult = { status: 200 | 201; answer: KeyAnswer };

/**
 * The part of `POST /api/keys` under the head lock: the event's place in the
 * chain as it is now, the budgets, and the entry. A conflict is recorded, and
 * only then refused.
 */
export function keyEventJob(
  ctx: Context,
  agent: string,
  note: string,
  counters: CounterKeys,
): Job<KeyEventResult> {
  return async (turn) => {
    const events = await readKeyEvents(turn.tx, OWN_LOG, agent);
    const placed = placeEvent({ events, chain: chainOf(events) }, note);
    if (placed.kind === 'refused') return refuse(placed.refusal);
    if (placed.kind === 'known') {
      return () => ({ status: 200, answer: placed.answer });
    }
    const { step } = placed;
    const blocked = await takeKeyBudgets(
      turn.tx,
      step,
      counters,
      ctx.limits,
      turn.now,
    );
    if (blocked !== null) return refuse(rateLimited(blocked));
    const index = await appendKeyStep(turn, step);
    if (step.kind === 'conflict') {
      return refuse(conflictRefusal(step.chain, index));
    }
    return () => ({ status: 201, answer: keyAnswer(step.chain, index) });
  };
}
