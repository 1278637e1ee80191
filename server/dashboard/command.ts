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

/** What a command works with, in a node or on the command line. */
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
  /** Null where there is no mesh. */
  peers: PeerAdmin | null;
};

/** What requests of `/admin` work with, too. */
export type AdminContext = Context & {
  peers: PeerAdmin | null;
  scrypt: ScryptQueue;
  /** Of what counts attempts to sign in. */
  turns: Turns;
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

type Call<Input> = {
  ctx: CommandContext;
  operator: Operator;
  input: Input;
  /** Under the name of the command. */
  audit: Audit;
};

export type RequestCall<Input = unknown> = {
  ctx: AdminContext;
  req: Request;
  res: Response;
  /** Only where the command asks for a role. */
  operator: SignedIn;
  input: Input;
  audit: Audit;
};

/** All fields that it does not name become flags of their own name. */
type CommandLine<Field extends string> = {
  /** A name of its own, such as `report list`. */
  words?: string;
  /** The fields that are given without a flag, in this order. */
  positional?: readonly Field[];
  /** Flags that are not named after their field. */
  flags?: { readonly [F in Field]?: string };
};

/** What an answer is: a type, which nothing checks. */
type AnswerType<A> = { readonly answer?: A };
export const answer = <A>(): AnswerType<A> => ({});

type Said<Name extends string, Input extends z.ZodType, A> = {
  /** Also in the audit trail. */
  readonly name: Name;
  readonly right: Right;
  /** The credential was given in the last ten minutes. */
  readonly fresh?: boolean;
  /** Of a body, or of the query of a GET; without one a body is `{}`. */
  readonly input?: Input;
  /** Without one, what `handle` returns. */
  readonly answer?: AnswerType<A>;
};

/** Given over HTTP (`POST /do/<name>`), a socket and the command line. */
type Everywhere<Name extends string, Input extends z.ZodType, A> = Said<
  Name,
  Input,
  A
> & {
  readonly right: Role;
  readonly http?: never;
  /** One sentence, for the help of the command line. */
  readonly summary: string;
  /** How the command line says it, where `operator do <name>` will not do. */
  readonly cli?: CommandLine<keyof z.output<Input> & string>;
  /** @throws BoardError what a request is refused with */
  handle(call: Call<z.output<Input>>): Promise<A>;
};

/** A request alone has cookies, files and steps without a session. */
type OverHttp<Name extends string, Input extends z.ZodType, A> = Said<
  Name,
  Input,
  A
> & {
  /** Its address under `/admin/api`. */
  readonly http: `${'GET' | 'POST'} /${string}`;
  /** Of the answer; 200 without one. */
  readonly status?: number;
  /** The answer, or undefined where it has answered itself. */
  handle(call: RequestCall<z.output<Input>>): Promise<A> | A;
};

/** No input at all. */
export const NOTHING = z.strictObject({});
type Nothing = typeof NOTHING;
type Checked<It, Input> = Omit<It, 'input'> & { readonly input: Input };

/**
 * Declares a command. HTTP, the socket, the command line, the matrix of rights
 * and the browser's types are all made from this one value.
 */
export function command<
  const Name extends string,
  A,
  Input extends z.ZodType = Nothing,
>(it: Everywhere<Name, Input, A>): Checked<Everywhere<Name, Input, A>, Input>;
export function command<
  const Name extends string,
  A,
  Input extends z.ZodType = Nothing,
>(it: OverHttp<Name, Input, A>): Checked<OverHttp<Name, Input, A>, Input>;
export function command(it: object): object {
  return { input: NOTHING, ...it };
}

/** Any command that is given everywhere. */
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
 * Checks an operator against the right of a command, for requests and for a
 * socket alike.
 * @throws BoardError `forbidden`, or `unauthorized` with scope `step_up`
 */
export function checkRight(
  { role, credentialAt }: SignedIn,
  {
    right,
    fresh = false,
  }: Pick<Said<string, Nothing, unknown>, 'right' | 'fresh'>,
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
 * One command of an operator whose right was checked.
 *
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
