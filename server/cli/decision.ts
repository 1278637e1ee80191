import { z } from 'zod';
import { ALIAS_MAX } from '../../protocol/moderation.js';
import {
  commandLine,
  type Operator,
} from '../dashboard/commands/action-context.js';
import { decide } from '../dashboard/commands/decide.js';
import { decideInput } from '../dashboard/schemas/decide-command.js';
import { said } from '../dashboard/schemas/fields.js';
import { BoardError } from '../errors.js';
import { parseBody } from '../http/body/validate.js';
import { CommandFailure } from './failure.js';
import { type JsonOption, print } from './output.js';
import { decisionLine, refusal } from './refusal.js';
import { withOwnDesk } from './with-local-board.js';

export type DecisionOptions = JsonOption & {
  reason?: string;
  explanation?: string;
  outcome?: string;
  operator?: string;
  privateNote?: string;
  supersedes?: string;
  report?: string[];
};

/**
 * `reserve-board decision <action> <id>` (spec/board.md §14.5, §15): records a
 * decision as an admin under the public alias `--operator`.
 */
export async function recordDecision(
  action: string,
  id: string,
  options: DecisionOptions,
): Promise<void> {
  const { json = false } = options;
  const asked = {
    action,
    id: integer('id', id),
    explanation: options.explanation,
    ...given('reason', options.reason),
    ...given('outcome', options.outcome),
    ...given('private_note', options.privateNote),
    ...(options.supersedes === undefined
      ? {}
      : { supersedes: integer('--supersedes', options.supersedes) }),
    ...(options.report === undefined ? {} : { report_ids: options.report }),
  };
  const input = checked(() => parseBody(decideInput, asked));
  const operator = operatorOf(options.operator);
  const done = await withOwnDesk((desk) => decide(desk, operator, input));
  print(
    json,
    { ok: true, ...done },
    `Recorded ${decisionLine(done.decision)}\n${done.moderation_url}`,
  );
}

const operatorOption = z.object({ operator: said(ALIAS_MAX) });

/** Who acts on the command line; `alias` is what readers see. */
export function operatorOf(alias = 'operator'): Operator {
  const option = checked(() => parseBody(operatorOption, { operator: alias }));
  return commandLine(option.operator);
}

/** A refused option as one sentence. */
export function checked<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof BoardError ? refusal(error) : error;
  }
}

function given<Name extends string>(name: Name, value: string | undefined) {
  return value === undefined ? {} : { [name]: value };
}

export function integer(name: string, text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw new CommandFailure(`${name} must be a positive integer.`, {
    error: 'invalid_input',
  });
}
