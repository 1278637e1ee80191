import { inertLine } from '../../client/cli/inert.js';
import type { BoardError } from '../errors.js';
import type { PublicDecision } from '../moderation/record-decision.js';
import { CommandFailure } from './failure.js';

/** A refusal of the board as one line; its members for `--json`. */
export function refusal(error: BoardError): CommandFailure {
  const { current } = error.extras;
  const stands =
    error.code === 'decision_conflict' && isDecision(current)
      ? ` It stands: ${decisionLine(current)}`
      : '';
  return new CommandFailure(`${error.detail}${stands}`, error.body());
}

/** A decision in one line; what operators wrote is shown inert. */
export function decisionLine(it: PublicDecision): string {
  const words = inertLine(it.explanation);
  return `decision ${it.id}, ${it.action} (${it.reason}) by ${inertLine(it.operator)} at ${it.decided_at}: ${words}`;
}

function isDecision(value: unknown): value is PublicDecision {
  return typeof value === 'object' && value !== null && 'action' in value;
}
