import type { z } from 'zod';
import { BoardError } from '../../errors.js';
import { parseBody } from '../../http/body/validate.js';
import { COMMANDS, type CommandAnswers, type CommandName } from '../events.js';
import { checkAction, type SignedIn } from '../session.js';
import { type Operator, operatorFrom } from './action-context.js';
import { WORK, type WorkDesk } from './registry.js';

const NAMES: ReadonlySet<string> = new Set(Object.keys(COMMANDS));

export function isCommand(name: unknown): name is CommandName {
  return typeof name === 'string' && NAMES.has(name);
}

/**
 * One command of a signed-in operator, by whatever way it came: the role and
 * the age of the credential, then the shape of its input, then the work.
 *
 * @throws BoardError of any of the three
 */
export async function runCommand<N extends CommandName>(
  desk: WorkDesk,
  session: SignedIn,
  name: N,
  input: unknown,
): Promise<CommandAnswers[N]> {
  checkAction(session, name, desk.clock.now());
  return await doCommand(desk, operatorFrom(session), name, input);
}

/**
 * The same of somebody whose right is known: the command line's.
 *
 * @throws BoardError of the input's shape and of the work
 */
export async function doCommand<N extends CommandName>(
  desk: WorkDesk,
  operator: Operator,
  name: N,
  input: unknown,
): Promise<CommandAnswers[N]> {
  const schema: z.ZodType<unknown> = COMMANDS[name];
  const asked = parseBody(schema, input);
  const work = WORK[name] as (
    desk: WorkDesk,
    operator: Operator,
    input: unknown,
  ) => Promise<CommandAnswers[N]>;
  return await work(desk, operator, asked);
}

export function unknownCommand(): BoardError {
  return new BoardError('not_found', 'There is no command of this name.');
}
