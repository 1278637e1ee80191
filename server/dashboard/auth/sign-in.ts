import { z } from 'zod';
import { Operator } from '../../db/entities/operator.js';
import { actorOf, recordAudit } from '../audit.js';
import { command, type RequestCall } from '../command.js';
import type { SignedIn } from '../session.js';
import {
  deviceLabel,
  openSession,
  renewSession,
  setSessionCookie,
} from '../session-store.js';
import {
  type Attempt,
  giveBack,
  type Proven,
  takeAttempt,
  wrongCredential,
} from './attempts.js';
import { useRecoveryCode } from './credentials.js';
import { rememberDevice } from './devices.js';
import {
  type AccountAnswer,
  accountAnswer,
  label,
  passkeyAnswer,
  passphrase,
  totp,
  typedName,
} from './fields.js';
import { ownerOf, passkeyQuestion, provePasskey } from './passkey.js';
import { provePassphrase } from './passphrase.js';
import { refuseLate } from './refuse-late.js';

/**
 * Also forgets the attempt, in one transaction with the trail.
 * @throws BoardError `unauthorized` for a used credential or a closed account
 */
async function signIn(
  { ctx, req, res, input }: RequestCall<{ label?: string | undefined }>,
  proven: Proven | null,
  attempt: Attempt,
): Promise<AccountAnswer> {
  const { label = deviceLabel(req) } = input;
  if (proven === null) throw wrongCredential();
  const { operatorId, method } = proven;
  const now = ctx.clock.now();
  const opened = await ctx.writes.transaction(async (tx) => {
    // First: a failure writes nothing, so it takes equally long with and
    // without an account.
    if (!(await proven.take(tx))) return null;
    const account = await tx.manager.findOne(Operator, {
      where: { id: operatorId, state: 'active' },
      lock: { mode: 'pessimistic_read' },
    });
    if (account === null) return null;
    const session = { account, method, label };
    const opened = await openSession(tx, ctx, req, session, now);
    const known = await rememberDevice(tx, ctx, req, opened, now);
    await giveBack(tx, attempt);
    const entry = {
      action: `sign_in.${method}`,
      subject: `operator:${account.name}`,
      after: { device: label },
    };
    await recordAudit(tx, actorOf(opened), entry, now);
    return { session: opened, known };
  });
  if (opened === null) throw wrongCredential();
  const { session, known } = opened;
  setSessionCookie(ctx, res, session);
  if (known !== null) res.append('Set-Cookie', known);
  return accountAnswer(session);
}

/**
 * 200 with account, session and cookie; 401 `unauthorized`, equal in text and
 * time for every fault; 429 after 5 failures in 15 minutes (spec/operators.md
 * §1.3, spec/board.md §16.5).
 */
export const signInByPassphrase = command({
  name: 'sign_in.passphrase',
  http: 'POST /sign-in/passphrase',
  right: 'anyone',
  input: z.strictObject({
    name: typedName,
    passphrase,
    totp,
    label: label.optional(),
  }),
  handle: (call) =>
    refuseLate(call.ctx, async () => {
      const { ctx, req, input } = call;
      const attempt = await takeAttempt(ctx, req, input.name);
      const proven = await provePassphrase(ctx, input, attempt);
      return await signIn(call, proven, attempt);
    }),
});

/** Runs the same statements, which find nothing. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Each code once. 200; 401, 429 as with a passphrase. */
export const signInByRecovery = command({
  name: 'sign_in.recovery',
  http: 'POST /sign-in/recovery',
  right: 'anyone',
  input: z.strictObject({
    name: typedName,
    code: z.string().max(100),
    label: label.optional(),
  }),
  handle: async (call) => {
    const { ctx, req, input } = call;
    const { name, code } = input;
    const attempt = await takeAttempt(ctx, req, name);
    const known = { name, state: 'active' } as const;
    const account = await ctx.writes.manager.findOneBy(Operator, known);
    const operatorId = account?.id ?? NOBODY;
    const now = ctx.clock.now();
    const proven: Proven = {
      operatorId,
      method: 'recovery',
      take: (tx) => useRecoveryCode(tx, operatorId, code, now),
    };
    return await signIn(call, proven, attempt);
  },
});

const ABOUT = 'sign_in';

/** `{options}`, the same for everybody. 403 where passkeys are impossible. */
export const signInQuestion = command({
  name: 'sign_in.passkey_options',
  http: 'POST /sign-in/passkey/options',
  right: 'anyone',
  handle: async ({ ctx, req }) => ({
    options: await passkeyQuestion(ctx, req, ABOUT),
  }),
});

/** 200 with account, session and cookie; 401, 403, 429. */
export const signInByPasskey = command({
  name: 'sign_in.passkey',
  http: 'POST /sign-in/passkey',
  right: 'anyone',
  input: z.strictObject({ label: label.optional(), response: passkeyAnswer }),
  handle: async (call) => {
    const { ctx, req, input } = call;
    const { response } = input;
    const owner = await ownerOf(ctx.writes, response.id);
    const account = owner ?? `passkey ${response.id}`;
    const attempt = await takeAttempt(ctx, req, account);
    const proven = await provePasskey(ctx, req, ABOUT, response);
    return await signIn(call, proven, attempt);
  },
});

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
