import type { PeerAdmin } from '../../../mesh/mesh-ports.js';
import type { Context } from '../../context.js';
import { BoardError } from '../../errors.js';
import type { Role } from '../actions.js';
import { type Actor, type Audit, actorOf, commandLineActor } from '../audit.js';
import {
  CONTRACTS,
  type CommandAnswers,
  type CommandAsked,
  type CommandName,
} from '../schemas/commands.js';
import type { SignedIn } from '../session.js';

/** What a command works with, in a node or on the command line. */
export type ActionContext = Pick<
  Context,
  | 'config'
  | 'limits'
  | 'clock'
  | 'reads'
  | 'writes'
  | 'replicas'
  | 'ledger'
  | 'events'
  | 'board'
  | 'keys'
  | 'telemetry'
> & {
  /** Null where there is no mesh. */
  peers: PeerAdmin | null;
};

/** Who acts: for the audit trail, in public, and with which rights. */
export type Operator = Actor & { alias: string; role: Role };

export function operatorFrom(session: SignedIn): Operator {
  const { alias, role } = session;
  return { ...actorOf(session), alias, role };
}

/**
 * The command line: everybody who reaches the database has every right, and
 * acts under a public alias without an account. The trail names the account of
 * the system (spec/board.md §16.24).
 */
export function commandLine(alias: string): Operator {
  return { ...commandLineActor(), alias, role: 'admin' };
}

/** @throws BoardError `forbidden` for the command line, which has no account */
export function accountOf({ operatorId }: Operator): string {
  if (operatorId !== null) return operatorId;
  throw new BoardError('forbidden', 'Only an operator with an account may.');
}

type Declaration<N extends CommandName> = {
  /** The least role. */
  right: Role;
  /** The credential was given in the last ten minutes. */
  fresh?: boolean;
  /** One sentence, for the help of the command line. */
  summary: string;
  /** How the command line says it, where `operator do <command>` will not do. */
  cli?: CommandLine<keyof CommandAsked<N> & string>;
  /** @throws BoardError what a request is refused with */
  handle(
    context: ActionContext,
    operator: Operator,
    input: CommandAsked<N>,
    /** Under the name of the command. */
    audit: Audit,
  ): Promise<CommandAnswers[N]>;
};

/** All fields that it does not name become flags of their own name. */
type CommandLine<Field extends string = string> = {
  /** A name of its own, such as `report list`. */
  words?: string;
  /** The fields that are given without a flag, in this order. */
  positional?: readonly Field[];
  /** Flags that are not named after their field. */
  flags?: { readonly [F in Field]?: string };
};

export type Command<N extends CommandName = CommandName> = {
  readonly name: N;
  readonly input: (typeof CONTRACTS)[N]['input'];
  readonly cli?: CommandLine;
} & Readonly<Omit<Declaration<N>, 'cli'>>;

/**
 * Declares a command. HTTP (`POST /admin/api/do/<name>`), the socket and the
 * command line are all made from this one value: its right, its input, its
 * help and its work.
 */
export function command<N extends CommandName>(
  name: N,
  it: Declaration<N>,
): Command<N> {
  return { name, input: CONTRACTS[name].input, ...it };
}
