import type { Router } from 'express';
import type { Context } from '../../context.js';
import { mountActions } from '../mount-actions.js';
import { changeAlias } from './account-alias.js';
import {
  addPasskey,
  addPasskeyOptions,
  addTotp,
  setPassphrase,
} from './add-credential.js';
import { checkTrail, exportAudit, listAudit } from './audit-trail.js';
import {
  listCredentials,
  newRecoveryCodes,
  removePasskey,
} from './credentials.js';
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
import { signInByPasskey, signInQuestion } from './sign-in-passkey.js';
import { signInByPassphrase } from './sign-in-passphrase.js';
import { signInByRecovery } from './sign-in-recovery.js';
import { accessState } from './state.js';
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
