import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import type { Context } from '../../context.js';
import { requestNetwork } from '../../http/network.js';
import { type Action, action } from '../actions.js';
import { visitorOf } from '../session.js';
import * as addCredential from './add-credential.js';
import * as auditTrail from './audit-trail.js';
import * as credentials from './credentials.js';
import { accountAnswer, boardAnswer, methodsOf } from './fields.js';
import * as invites from './invites.js';
import * as operators from './operators.js';
import * as sessions from './sessions.js';
import * as setUp from './set-up.js';
import * as signIn from './sign-in.js';
import * as stepUp from './step-up.js';

/** IPv6: the first half. */
function networkText(ctx: Context, req: Request): string {
  const [tag, ...bytes] = requestNetwork(req, ctx.trustedProxies);
  const whole = tag === 4 ? bytes : [...bytes, ...Array<number>(8).fill(0)];
  const text = ipaddr.fromByteArray(whole).toString();
  return tag === 4 ? text : `${text}/64`;
}

/** Always 200. `network` is the one that limits use; it is not stored. */
const accessState = action({
  name: 'access.state',
  get: '/access',
  least: 'anyone',
  handle: ({ ctx, req }) => {
    const operator = visitorOf(req);
    return {
      signed_in: operator !== null,
      methods: methodsOf(ctx, req),
      board: boardAnswer(ctx),
      ...(operator === null
        ? {}
        : { ...accountAnswer(operator), network: networkText(ctx, req) }),
    };
  },
});

/** These modules export only actions. */
const WHOLE: readonly Readonly<Record<string, Action>>[] = [
  ...[setUp, signIn, stepUp, sessions, addCredential, auditTrail],
];

/**
 * Sign-in, accounts and trail (spec/operators.md §1). Viewers read the whole
 * trail: it has no text of reporters.
 */
export const ACCESS: readonly Action[] = [
  accessState,
  ...WHOLE.flatMap((actions) => Object.values(actions)),
  credentials.listCredentials,
  credentials.removePasskey,
  credentials.newRecoveryCodes,
  operators.changeAlias,
  operators.listOperators,
  operators.changeRole,
  operators.disableOperator,
  operators.enableOperator,
  invites.inviteOperator,
  invites.cancelInvite,
];
