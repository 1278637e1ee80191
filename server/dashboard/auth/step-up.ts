import { z } from 'zod';
import { actorOf, recordAudit } from '../audit.js';
import { command, type RequestCall } from '../command.js';
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
  { ctx, res, operator }: RequestCall,
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

export const stepUpByPassphrase = command({
  name: 'step_up.passphrase',
  http: 'POST /step-up/passphrase',
  right: 'viewer',
  input: z.strictObject({ passphrase, totp }),
  handle: (call) =>
    refuseLate(call.ctx, async () => {
      const { ctx, req, input, operator } = call;
      const { name } = operator;
      const attempt = await takeAttempt(ctx, req, name);
      const proven = await provePassphrase(ctx, { ...input, name }, attempt);
      return await stepUp(call, proven, attempt);
    }),
});

/** Binds a challenge to its session. */
const aboutStepUp = ({ sessionId }: SignedIn) => `step_up ${sessionId}`;

export const stepUpQuestion = command({
  name: 'step_up.passkey_options',
  http: 'POST /step-up/passkey/options',
  right: 'viewer',
  handle: async ({ ctx, req, operator }) => ({
    options: await passkeyQuestion(ctx, req, aboutStepUp(operator)),
  }),
});

export const stepUpByPasskey = command({
  name: 'step_up.passkey',
  http: 'POST /step-up/passkey',
  right: 'viewer',
  input: z.strictObject({ response: passkeyAnswer }),
  handle: async (call) => {
    const { ctx, req, input, operator } = call;
    const attempt = await takeAttempt(ctx, req, operator.name);
    const about = aboutStepUp(operator);
    const proven = await provePasskey(ctx, req, about, input.response);
    return await stepUp(call, proven, attempt);
  },
});
