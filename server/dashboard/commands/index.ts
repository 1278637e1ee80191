import type { z } from 'zod';
import { BoardError } from '../../errors.js';
import { ACCESS } from '../auth/index.js';
import {
  type Command,
  type CommandContext,
  type CommandError,
  checkRight,
  type Operator,
  operatorFrom,
  type RequestCommand,
  run,
} from '../command.js';
import type { SignedIn } from '../session.js';
import * as alerts from './alerts.js';
import * as bulk from './bulk.js';
import * as bulkRun from './bulk-run.js';
import * as charts from './charts.js';
import * as claims from './claims.js';
import * as decide from './decide.js';
import * as decisions from './decisions.js';
import * as deliveries from './deliveries.js';
import * as find from './find.js';
import * as history from './history.js';
import * as item from './item.js';
import * as notes from './notes.js';
import * as notifications from './notifications.js';
import * as overview from './overview.js';
import * as peers from './peers.js';
import * as queue from './queue.js';
import * as reports from './reports.js';
import * as response from './response.js';
import * as select from './select.js';
import * as templatesAndViews from './templates-and-views.js';
import * as usefulness from './usefulness.js';
import * as watchRules from './watch-rules.js';

/** These files export nothing but commands. */
const NOUNS = [
  ...ACCESS,
  overview,
  find,
  charts,
  queue,
  select,
  item,
  response,
  history,
  notes,
  bulk,
  bulkRun,
  decisions,
  decide,
  claims,
  reports,
  usefulness,
  templatesAndViews,
  alerts,
  watchRules,
  notifications,
  deliveries,
  peers,
] as const;

type ValueOf<It> = It extends unknown ? It[keyof It] : never;
type Declared = Extract<
  ValueOf<(typeof NOUNS)[number]>,
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

/** All of `/admin/api`; the tests of roles use it. */
export const ALL = NOUNS.flatMap((noun: object) =>
  Object.values(noun).filter(isDeclared),
);

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
