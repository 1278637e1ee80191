import type { z } from 'zod';
import { BoardError } from '../errors.js';
import * as accounts from './auth/index.js';
import {
  type Command,
  type CommandContext,
  type CommandError,
  checkRight,
  type Operator,
  operatorFrom,
  type RequestCommand,
  run,
} from './command.js';
import * as commands from './commands/index.js';
import type { SignedIn } from './session.js';

type ValueOf<It> = It extends unknown ? It[keyof It] : never;
type Declared = Extract<
  ValueOf<ValueOf<typeof accounts | typeof commands>>,
  { right: string; input: z.ZodType }
>;
/** Also on sockets and the command line. */
type Everywhere = Exclude<Declared, { http: string }>;

/** Before defaults. */
type CommandInputs = {
  [C in Everywhere as C['name']]: z.input<C['input']>;
};
export type CommandName = keyof CommandInputs;
export type CommandInput<N extends CommandName> = CommandInputs[N];
/** Declared as `reads`. */
export type ReadName = Extract<Everywhere, { reads?: true }>['name'];
export type WriteName = Exclude<CommandName, ReadName>;
export type CommandAnswers = {
  [C in Declared as C['name']]: Awaited<ReturnType<C['handle']>>;
};

/** With those that requests alone are given. */
export type AnyName = keyof CommandAnswers;

export type CommandRequest<N extends CommandName = CommandName> = {
  name: N;
  input: CommandInput<N>;
};

export type CommandReply<N extends CommandName = CommandName> =
  | { ok: true; data: CommandAnswers[N] }
  | { ok: false; status: number; error: CommandError };

const isDeclared = (it: unknown): it is Command | RequestCommand =>
  typeof it === 'object' && it !== null && 'handle' in it;

/** All of `/admin/api`, by name; the tests of roles use it. */
export const ALL = [accounts, commands]
  .flatMap((nouns): object[] => Object.values(nouns))
  .flatMap((noun) => Object.values(noun).filter(isDeclared))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

export const COMMANDS = Object.fromEntries(
  ALL.filter((it) => it.http === undefined).map((it) => [it.name, it]),
) as unknown as Readonly<Record<CommandName, Command & { name: CommandName }>>;

export function isCommand(name: unknown): name is CommandName {
  return typeof name === 'string' && Object.hasOwn(COMMANDS, name);
}

export function unknownCommand(): BoardError {
  return new BoardError('not_found', 'There is no command of this name.');
}

/**
 * Checks role, credential and input first.
 * @throws BoardError of any of these, or of its work
 */
export async function runCommand<N extends CommandName>(
  ctx: CommandContext,
  session: SignedIn,
  name: N,
  input: unknown,
): Promise<CommandAnswers[N]> {
  checkRight(session, COMMANDS[name], ctx.clock.now());
  return await doCommand(ctx, operatorFrom(session), name, input);
}

/**
 * For the command line, without checks of rights.
 * @throws BoardError of the input's shape and of the work
 */
export async function doCommand<N extends CommandName>(
  ctx: CommandContext,
  operator: Operator,
  name: N,
  input: unknown,
): Promise<CommandAnswers[N]> {
  const answer = await run(ctx, operator, COMMANDS[name], input);
  return answer as CommandAnswers[N];
}
