import type { Context } from '../../context.js';
import { type Actor, actorOf } from '../audit.js';
import type { Role } from '../roles.js';
import type { SignedIn } from '../session.js';

/** What an operator's action works with: a node's, or a command's own. */
export type Desk = Pick<
  Context,
  | 'config'
  | 'limits'
  | 'clock'
  | 'reads'
  | 'writes'
  | 'ledger'
  | 'events'
  | 'board'
  | 'telemetry'
>;

/** Who acts: for the audit trail, in public, and with which rights. */
export type Operator = Actor & { alias: string; role: Role };

export function operatorFrom(session: SignedIn): Operator {
  const { alias, role } = session;
  return { ...actorOf(session), alias, role };
}

/**
 * The command line: whoever reaches the database has every right, and acts
 * under a public alias without an account.
 */
export function commandLine(alias: string): Operator {
  const operator = `command line (${alias})`;
  return {
    operatorId: null,
    operator,
    sessionId: null,
    alias,
    role: 'admin',
  };
}
