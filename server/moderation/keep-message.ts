import type { Turn } from '../ledger/append-context.js';
import { moderationUnchanged } from './decision-order.js';
import {
  conflict,
  type PublicDecision,
  publicDecision,
  type Ruling,
  recordDecision,
  refuse,
  subjectOf,
  unknownSubject,
} from './record-decision.js';

/**
 * Records that a message stays (spec/operators.md §2.1). Refused with
 * `message_not_found`, or `decision_conflict` when it is removed, or kept
 * already and nobody reported it since.
 */
export async function keepMessage(
  turn: Turn,
  ruling: Ruling,
): Promise<() => PublicDecision> {
  const { tx } = turn;
  const subject = await subjectOf(tx, ruling.id);
  if (subject === null) return refuse(unknownSubject(ruling.id));
  if (subject.removed_by !== null) {
    const detail = 'This message is removed; reinstate it to keep it.';
    return refuse(await conflict(tx, ruling.id, detail));
  }
  if (await moderationUnchanged(tx, ruling)) {
    const detail = 'This message is kept already, with no report since.';
    return refuse(await conflict(tx, ruling.id, detail));
  }
  const row = await recordDecision(turn, 'keep', subject, ruling, 'decision');
  return () => publicDecision(row);
}
