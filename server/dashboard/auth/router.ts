import type { Request, RequestHandler, Router } from 'express';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { parseBody } from '../../http/body/validate.js';
import { requestNetwork } from '../../http/request-network.js';
import { mountActions } from '../mount-actions.js';
import { visitorOf } from '../session.js';
import { relyingParty } from '../session-origin.js';
import { changeAlias } from './account-alias.js';
import {
  addPasskey,
  addPasskeyOptions,
  addTotp,
  setPassphrase,
} from './add-credential.js';
import {
  type AccountAnswer,
  accountAnswer,
  answer,
  type BoardAnswer,
  boardAnswer,
  type Method,
} from './answers.js';
import { takeAttempt } from './attempts.js';
import { checkTrail, exportAudit, listAudit } from './audit-trail.js';
import {
  listCredentials,
  newRecoveryCodes,
  removePasskey,
} from './credentials.js';
import { label, passphrase, totp, typedName } from './fields.js';
import { cancelInvite, inviteOperator } from './invites.js';
import {
  listOperatorSessions,
  revokeOperatorSession,
  signOutOperator,
} from './operator-sessions.js';
import {
  changeRole,
  disableOperator,
  enableOperator,
  listOperators,
} from './operators.js';
import { provePassphrase, takeStep } from './passphrase-store.js';
import { ScryptQueue } from './scrypt-queue.js';
import {
  listSessions,
  revokeOtherSessions,
  revokeSession,
  signOut,
} from './sessions.js';
import { lookAtSetup } from './setup-look.js';
import { setupPasskey, setupPasskeyOptions } from './setup-passkey.js';
import { setupPassphrase, setupTotp } from './setup-passphrase.js';
import { type Proven, signIn } from './sign-in.js';
import { signInByPasskey, signInQuestion } from './sign-in-passkey.js';
import { signInByRecovery } from './sign-in-recovery.js';
import {
  stepUpByPasskey,
  stepUpByPassphrase,
  stepUpQuestion,
} from './step-up.js';

/**
 * Signing in, the own account, other accounts, the trail (spec/operators.md
 * §1).
 */
export function mountAccess(ctx: Context, router: Router): void {
  const scrypt = new ScryptQueue(ctx.passphraseCost);
  mountActions(ctx, router, {
    'access.state': accessState(ctx),
    'setup.look': lookAtSetup(ctx),
    'setup.passkey_options': setupPasskeyOptions(ctx),
    'setup.passkey': setupPasskey(ctx),
    'setup.totp': setupTotp(ctx),
    'setup.passphrase': setupPassphrase(ctx, scrypt),
    'sign_in.passkey_options': signInQuestion(ctx),
    'sign_in.passkey': signInByPasskey(ctx),
    'sign_in.passphrase': signInByPassphrase(ctx, scrypt),
    'sign_in.recovery': signInByRecovery(ctx),

    'session.sign_out': signOut(ctx),
    'session.list': listSessions(ctx),
    'session.revoke': revokeSession(ctx),
    'session.revoke_others': revokeOtherSessions(ctx),
    'step_up.passkey_options': stepUpQuestion(ctx),
    'step_up.passkey': stepUpByPasskey(ctx),
    'step_up.passphrase': stepUpByPassphrase(ctx, scrypt),
    'credential.list': listCredentials(ctx),
    'credential.passkey_options': addPasskeyOptions(ctx),
    'credential.passkey': addPasskey(ctx),
    'credential.remove_passkey': removePasskey(ctx),
    'credential.totp': addTotp(ctx),
    'credential.passphrase': setPassphrase(ctx, scrypt),
    'credential.recovery': newRecoveryCodes(ctx),
    'account.alias': changeAlias(ctx),

    'operator.list': listOperators(ctx),
    'operator.invite': inviteOperator(ctx),
    'operator.cancel_invite': cancelInvite(ctx),
    'operator.sessions': listOperatorSessions(ctx),
    'operator.revoke_session': revokeOperatorSession(ctx),
    'operator.role': changeRole(ctx),
    'operator.disable': disableOperator(ctx),
    'operator.enable': enableOperator(ctx),
    'operator.sign_out': signOutOperator(ctx),
    'audit.list': listAudit(ctx),
    'audit.check': checkTrail(ctx),
    'audit.export': exportAudit(ctx),
  });
}

const request = z.strictObject({
  name: typedName,
  passphrase,
  totp,
  label: label.optional(),
});

/**
 * POST /admin/api/sign-in/passphrase `{name, passphrase, totp, label?}`: 200
 * with account and session, and its cookie; 401 `unauthorized`, the same and
 * after the same time whatever was wrong; 429 after 5 failures in 15 minutes
 * (spec/operators.md §1.3).
 */
function signInByPassphrase(ctx: Context, scrypt: ScryptQueue): RequestHandler {
  return async (req, res) => {
    const it = parseBody(request, req.body);
    const attempt = await takeAttempt(ctx, req, it.name);
    const { network } = attempt;
    const proof = await provePassphrase(ctx, scrypt, { ...it, network });
    const proven: Proven | null = proof && {
      operatorId: proof.operatorId,
      method: 'passphrase',
      take: (tx) => takeStep(tx, proof),
    };
    answer(req, res, await signIn(ctx, req, res, proven, attempt, it.label));
  };
}

type AccessState = {
  signed_in: boolean;
  /** What this page can sign in with. */
  methods: Method[];
  board: BoardAnswer;
} & Partial<AccountAnswer> & {
    /** The network that limits see this browser as; nothing stores it. */
    network?: string;
  };

/**
 * GET /admin/api/access: whether there is a session, whose it is, and what can
 * be signed in with. Always 200.
 */
function accessState(ctx: Context): RequestHandler {
  return (req, res) => {
    const operator = visitorOf(req);
    const passkeys = relyingParty(ctx, req) !== null;
    const state: AccessState = {
      signed_in: operator !== null,
      methods: passkeys ? ['passkey', 'passphrase'] : ['passphrase'],
      board: boardAnswer(ctx),
      ...(operator === null
        ? {}
        : { ...accountAnswer(operator), network: networkText(ctx, req) }),
    };
    answer(req, res, state);
  };
}

/** As limits count it: an address, or the first half of an IPv6 one. */
function networkText(ctx: Context, req: Request): string {
  const [tag, ...bytes] = requestNetwork(req, ctx.trustedProxies);
  const whole = tag === 4 ? bytes : [...bytes, ...Array<number>(8).fill(0)];
  const text = ipaddr.fromByteArray(whole).toString();
  return tag === 4 ? text : `${text}/64`;
}
