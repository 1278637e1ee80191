import type { Request, Response } from 'express';
import { z } from 'zod';
import type { PeerAdmin } from '../../mesh/mesh-ports.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { parseBody } from '../http/body/validate.js';
import {
  type Actor,
  type Audit,
  actorOf,
  audited,
  commandLineActor,
} from './audit.js';
import type { ScryptQueue } from './auth/scrypt-queue.js';
import type { Turns } from './auth/turns.js';
import { type Right, type Role, reaches } from './roles.js';
import { FRESH_MS, type SignedIn } from './session.js';

export type CommandContext = Pick<
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
  /** Null without a mesh. */
  peers: PeerAdmin | null;
};

/** @throws BoardError `not_found` on a node without the mesh */
export function peersOf({ peers }: CommandContext): PeerAdmin {
  if (peers !== null) return peers;
  throw new BoardError('not_found', 'This process does not keep peers.');
}

/** Also for requests under `/admin`. */
export type AdminContext = Context & {
  peers: PeerAdmin | null;
  /** Refused passphrases answer after a multiple, in ms. */
  refusalMs: number;
  scrypt: ScryptQueue;
  /** Attempts to sign in, in sequence. */
  turns: Turns;
};

/** For trail, public and rights. */
export type Operator = Actor & { alias: string; role: Role };

export function operatorFrom(session: SignedIn): Operator {
  const { alias, role } = session;
  return { ...actorOf(session), alias, role };
}

/**
 * Access to the database gives every right, under a public alias; the trail
 * names the system's account (spec/board.md §16.24).
 */
export function commandLine(alias: string): Operator {
  return { ...commandLineActor(), alias, role: 'admin' };
}

/** @throws BoardError `forbidden` for the command line, which has no account */
export function accountOf({ operatorId }: Operator): string {
  if (operatorId !== null) return operatorId;
  throw new BoardError('forbidden', 'Only an operator with an account may.');
}

type Call<Input> = {
  ctx: CommandContext;
  operator: Operator;
  input: Input;
  /** Under the command's name. */
  audit: Audit;
};

export type RequestCall<Input = unknown> = {
  ctx: AdminContext;
  req: Request;
  res: Response;
  /** Only with a role. */
  operator: SignedIn;
  input: Input;
  audit: Audit;
};

/** Other fields become flags of their own name. */
type CommandLine<Field extends string> = {
  /** Such as `report list`. */
  words?: string;
  /** Without a flag, in this order. */
  positional?: readonly Field[];
  /** Named differently from their field. */
  flags?: { readonly [F in Field]?: string };
};

type Said<Name extends string, Input extends z.ZodType> = {
  /** Also on the trail. */
  readonly name: Name;
  readonly right: Right;
  /** Needs a credential of the last ten minutes. */
  readonly fresh?: boolean;
  /** Body or GET query; without one a body is `{}`. */
  readonly input?: Input;
};

/** By HTTP (`POST /do/<name>`), socket and command line. */
type Everywhere<
  Name extends string,
  Input extends z.ZodType,
  A,
  Reads = unknown,
> = Said<Name, Input> & {
  readonly right: Role;
  /** Changes nothing: its events are no own ones. */
  readonly reads?: Reads;
  readonly http?: never;
  /** For the command line's help. */
  readonly summary: string;
  /** Where `operator do <name>` is not enough. */
  readonly cli?: CommandLine<keyof z.output<Input> & string>;
  /** @throws BoardError what a request is refused with */
  handle(call: Call<z.output<Input>>): Promise<A>;
};

/** For cookies, files and steps without a session. */
type OverHttp<Name extends string, Input extends z.ZodType, A> = Said<
  Name,
  Input
> & {
  /** Under `/admin/api`. */
  readonly http: `${'GET' | 'POST'} /${string}`;
  /** Default: 200. */
  readonly status?: number;
  /** Undefined: it has answered itself. */
  handle(call: RequestCall<z.output<Input>>): Promise<A> | A;
};

export const NOTHING = z.strictObject({});
type Nothing = typeof NOTHING;
type Checked<It, Input> = Omit<It, 'input'> & { readonly input: Input };

/** HTTP, socket, command line, rights and types derive from it. */
export function command<
  const Name extends string,
  A,
  Input extends z.ZodType = Nothing,
  const Reads extends true | undefined = undefined,
>(
  it: Everywhere<Name, Input, A, Reads>,
): Checked<Everywhere<Name, Input, A, Reads>, Input>;
export function command<
  const Name extends string,
  A,
  Input extends z.ZodType = Nothing,
>(it: OverHttp<Name, Input, A>): Checked<OverHttp<Name, Input, A>, Input>;
export function command(it: object): object {
  return { input: NOTHING, ...it };
}

export type Command = Checked<
  Everywhere<string, z.ZodType, unknown>,
  z.ZodType
>;
export type RequestCommand = Checked<
  OverHttp<string, z.ZodType, unknown>,
  z.ZodType
>;

/** The body of an error, as over HTTP (spec/board.md §1.5). */
export type CommandError = {
  error: string;
  detail: string;
  [member: string]: unknown;
};

/**
 * For requests and sockets.
 * @throws BoardError `forbidden`, or `unauthorized` with scope `step_up`
 */
export function checkRight(
  { role, credentialAt }: SignedIn,
  { right, fresh = false }: Pick<Said<string, Nothing>, 'right' | 'fresh'>,
  now: number,
): void {
  if (!reaches(role, right)) {
    throw new BoardError(
      'forbidden',
      `This takes the role ${right}, and yours is ${role}; ask an admin of this board.`,
      { scope: right },
    );
  }
  const age = now - credentialAt;
  if (!fresh || (age >= 0 && age < FRESH_MS)) return;
  throw new BoardError(
    'unauthorized',
    'Give your passkey or passphrase again; it was last given more than 10 minutes ago.',
    { scope: 'step_up' },
  );
}

/**
 * After `checkRight`.
 * @throws BoardError of the input's shape and of the work
 */
export async function run(
  ctx: CommandContext,
  operator: Operator,
  { name, input: schema, handle }: Command,
  given: unknown,
): Promise<unknown> {
  const input = parseBody(schema, given);
  const audit: Audit = (work) => audited(ctx, operator, name, work);
  return await handle({ ctx, operator, input, audit });
}
