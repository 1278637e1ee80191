import { z } from 'zod';
import { type ActionCall, action } from '../actions.js';
import { actorOf, recordAudit } from '../audit.js';
import type { SignedIn } from '../session.js';
import { renewSession, setSessionCookie } from '../session-store.js';
import {
  type Attempt,
  giveBack,
  type Proven,
  takeAttempt,
  wrongCredential,
} from './attempts.js';
import {
  type AccountAnswer,
  accountAnswer,
  passkeyAnswer,
  passphrase,
  totp,
} from './fields.js';
import { passkeyQuestion, provePasskey } from './passkey.js';
import { provePassphrase } from './passphrase.js';
import { refuseLate } from './refuse-late.js';

/** By the operator's own credential (spec/operators.md §1.2). */
async function stepUp(
  { ctx, res, operator }: ActionCall,
  proven: Proven | null,
  attempt: Attempt,
): Promise<AccountAnswer> {
  if (proven === null || proven.operatorId !== operator.operatorId) {
    throw wrongCredential();
  }
  const now = ctx.clock.now();
  const opened = await ctx.writes.transaction(async (tx) => {
    if (!(await proven.take(tx))) return null;
    const renewed = await renewSession(tx, operator, proven.method, now);
    if (renewed === null) return null;
    await giveBack(tx, attempt);
    const subject = `operator:${operator.name}`;
    const entry = { action: `step_up.${proven.method}`, subject };
    await recordAudit(tx, actorOf(operator), entry, now);
    return renewed;
  });
  if (opened === null) throw wrongCredential();
  setSessionCookie(ctx, res, opened);
  return accountAnswer(opened);
}

export const stepUpByPassphrase = action({
  name: 'step_up.passphrase',
  post: '/step-up/passphrase',
  least: 'viewer',
  body: z.strictObject({ passphrase, totp }),
  handle: (call) =>
    refuseLate(call.ctx, async () => {
      const { ctx, req, body, operator } = call;
      const { name } = operator;
      const attempt = await takeAttempt(ctx, req, name);
      const proven = await provePassphrase(ctx, { ...body, name }, attempt);
      return await stepUp(call, proven, attempt);
    }),
});

/** Binds a challenge to its session. */
const aboutStepUp = ({ sessionId }: SignedIn) => `step_up ${sessionId}`;

export const stepUpQuestion = action({
  name: 'step_up.passkey_options',
  post: '/step-up/passkey/options',
  least: 'viewer',
  handle: async ({ ctx, req, operator }) => ({
    options: await passkeyQuestion(ctx, req, aboutStepUp(operator)),
  }),
});

export const stepUpByPasskey = action({
  name: 'step_up.passkey',
  post: '/step-up/passkey',
  least: 'viewer',
  body: z.strictObject({ response: passkeyAnswer }),
  handle: async (call) => {
    const { ctx, req, body, operator } = call;
    const attempt = await takeAttempt(ctx, req, operator.name);
    const about = aboutStepUp(operator);
    const proven = await provePasskey(ctx, req, about, body.response);
    return await stepUp(call, proven, attempt);
  },
});
