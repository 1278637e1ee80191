import { z } from 'zod';
import { Operator } from '../../db/entities/operator.js';
import type { Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { type ActionCall, action } from '../actions.js';
import { recordAudit } from '../audit.js';
import type { SignedIn } from '../session.js';
import {
  deviceLabel,
  openSession,
  setSessionCookie,
} from '../session-store.js';
import { type Attempt, giveBack, takeAttempt } from './attempts.js';
import { spendChallenge } from './challenge.js';
import { useRecoveryCode } from './credentials.js';
import {
  type AccountAnswer,
  accountAnswer,
  label,
  passkeyAnswer,
  passphrase,
  totp,
  typedName,
} from './fields.js';
import {
  ownerOf,
  type PasskeyProof,
  passkeyQuestion,
  provePasskey,
  takeCounter,
} from './passkey.js';
import { type Proof, provePassphrase, takeStep } from './passphrase.js';

/** One answer for everything wrong, and for accounts that are not there. */
export function wrongCredential(): BoardError {
  return new BoardError(
    'unauthorized',
    'That did not match; check the name, the passphrase and the code, and that the code was not used before.',
    { scope: 'sign_in' },
  );
}

/** A credential that was right, and the step that uses it up. */
export type Proven = {
  operatorId: string;
  method: SignedIn['method'];
  /** False when another request was faster with the same answer. */
  take(tx: Tx): Promise<boolean>;
};

/**
 * Opens a session for a proven credential and forgets the attempt, in one
 * transaction with the trail.
 * @throws BoardError `unauthorized` for one that was used, or a closed account
 */
async function signIn(
  { ctx, req, res, body }: ActionCall<{ label?: string | undefined }>,
  proven: Proven | null,
  attempt: Attempt,
): Promise<AccountAnswer> {
  const { label = deviceLabel(req) } = body;
  if (proven === null) throw wrongCredential();
  const { operatorId, method } = proven;
  const now = ctx.clock.now();
  const done = await ctx.writes.transaction(async (tx) => {
    // First, and alone: what fails writes nothing, so it takes the same time
    // whether there is such an account or not.
    if (!(await proven.take(tx))) return null;
    const account = await tx.manager.getRepository(Operator).findOne({
      where: { id: operatorId, state: 'active' },
      lock: { mode: 'pessimistic_read' },
    });
    if (account === null) return null;
    const opened = await openSession(
      tx,
      ctx,
      req,
      { operatorId, method, label },
      now,
    );
    await giveBack(tx, attempt);
    const { sessionId } = opened;
    await recordAudit(
      tx,
      { operatorId, operator: account.name, sessionId },
      {
        action: `sign_in.${method}`,
        subject: `operator:${account.name}`,
        after: { device: label },
      },
      now,
    );
    return { account, opened };
  });
  if (done === null) throw wrongCredential();
  const { sessionId, expiresAt } = done.opened;
  const { name, alias, role } = done.account;
  setSessionCookie(ctx, res, done.opened);
  return accountAnswer({
    ...{ operatorId, name, alias, role, sessionId, method, expiresAt },
    credentialAt: now,
  });
}

/**
 * 200 with account and session, and its cookie; 401 `unauthorized`, the same
 * and after the same time whatever was wrong; 429 after 5 failures in 15
 * minutes (spec/operators.md §1.3).
 */
export const signInByPassphrase = action({
  name: 'sign_in.passphrase',
  post: '/sign-in/passphrase',
  least: 'anyone',
  body: z.strictObject({
    name: typedName,
    passphrase,
    totp,
    label: label.optional(),
  }),
  handle: async (call) => {
    const { ctx, req, body } = call;
    const attempt = await takeAttempt(ctx, req, body.name);
    const { network } = attempt;
    const proof = await provePassphrase(ctx, { ...body, network });
    return await signIn(call, byPassphrase(proof), attempt);
  },
});

/** Nobody's account: the same statements run for it, and find nothing. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Signs in with one of the codes shown at set-up, each once, to enrol a new
 * passkey or passphrase. 200; 401, 429 as with a passphrase.
 */
export const signInByRecovery = action({
  name: 'sign_in.recovery',
  post: '/sign-in/recovery',
  least: 'anyone',
  body: z.strictObject({
    name: typedName,
    code: z.string().max(100),
    label: label.optional(),
  }),
  handle: async (call) => {
    const { ctx, req, body } = call;
    const { name, code } = body;
    const attempt = await takeAttempt(ctx, req, name);
    const operators = ctx.writes.manager.getRepository(Operator);
    const account = await operators.findOneBy({ name, state: 'active' });
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

/** A checked passphrase, to be taken in the transaction of the sign-in. */
export function byPassphrase(proof: Proof | null): Proven | null {
  return (
    proof && {
      operatorId: proof.operatorId,
      method: 'passphrase',
      take: (tx) => takeStep(tx, proof),
    }
  );
}

/** A checked passkey, to be taken in the transaction of the sign-in. */
export function byPasskey(
  proof: PasskeyProof | null,
  now: number,
): Proven | null {
  return (
    proof && {
      operatorId: proof.operatorId,
      method: 'passkey',
      take: async (tx) =>
        (await spendChallenge(tx, proof.challenge, now)) &&
        (await takeCounter(tx, proof, now)),
    }
  );
}

/**
 * `{options}` for the device, the same for everybody. 403 where passkeys cannot
 * be.
 */
export const signInQuestion = action({
  name: 'sign_in.passkey_options',
  post: '/sign-in/passkey/options',
  least: 'anyone',
  handle: async ({ ctx, req }) => ({
    options: await passkeyQuestion(ctx, req, ABOUT),
  }),
});

/**
 * 200 with account and session, and its cookie; 401, 403, 429 as with a
 * passphrase.
 */
export const signInByPasskey = action({
  name: 'sign_in.passkey',
  post: '/sign-in/passkey',
  least: 'anyone',
  body: z.strictObject({ label: label.optional(), response: passkeyAnswer }),
  handle: async (call) => {
    const { ctx, req, body } = call;
    const { response } = body;
    const owner = await ownerOf(ctx.writes, response.id);
    const account = owner ?? `passkey ${response.id}`;
    const attempt = await takeAttempt(ctx, req, account);
    const proof = await provePasskey(ctx, req, ABOUT, response);
    const proven = byPasskey(proof, ctx.clock.now());
    return await signIn(call, proven, attempt);
  },
});
