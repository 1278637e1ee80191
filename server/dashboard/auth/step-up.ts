import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { parseBody } from '../../http/body/validate.js';
import { actorOf, recordAudit } from '../audit.js';
import { operatorOf } from '../session.js';
import { renewSession, setSessionCookie } from '../session-store.js';
import { type AccountAnswer, accountAnswer, answer } from './answers.js';
import { type Attempt, takeAttempt } from './attempts.js';
import { passkeyAnswer, passphrase, totp } from './fields.js';
import { passkeyQuestion, provePasskey } from './passkey.js';
import { provePassphrase, takeStep } from './passphrase-store.js';
import type { ScryptQueue } from './scrypt-queue.js';
import { type Proven, wrongCredential } from './sign-in.js';
import { byPasskey } from './sign-in-passkey.js';

const nothing = z.strictObject({});
const byPassphrase = z.strictObject({ passphrase, totp });
const withPasskey = z.strictObject({ response: passkeyAnswer });

/**
 * The credential of this very operator, given again (spec/operators.md §1.2).
 */
async function stepUp(
  ctx: Context,
  req: Request,
  res: Response,
  proven: Proven | null,
  attempt: Attempt,
): Promise<AccountAnswer> {
  const operator = operatorOf(req);
  if (proven === null || proven.operatorId !== operator.operatorId) {
    throw wrongCredential();
  }
  const now = ctx.clock.now();
  const opened = await ctx.writes.transaction(async (tx) => {
    if (!(await proven.take(tx))) return null;
    const renewed = await renewSession(tx, operator, proven.method, now);
    if (renewed === null) return null;
    await tx.query('DELETE FROM operator_attempt WHERE id = $1', [attempt.id]);
    await recordAudit(
      tx,
      actorOf(operator),
      {
        action: `step_up.${proven.method}`,
        subject: `operator:${operator.name}`,
      },
      now,
    );
    return renewed;
  });
  if (opened === null) throw wrongCredential();
  setSessionCookie(ctx, res, opened);
  const { method } = proven;
  return accountAnswer({ ...operator, method, credentialAt: now });
}

/**
 * POST /admin/api/step-up/passphrase `{passphrase, totp}`: a fresh credential
 * and a new cookie for the same session. 401, 429 as at sign-in.
 */
export function stepUpByPassphrase(
  ctx: Context,
  scrypt: ScryptQueue,
): RequestHandler {
  return async (req, res) => {
    const it = parseBody(byPassphrase, req.body);
    const { name } = operatorOf(req);
    const attempt = await takeAttempt(ctx, req, name);
    const { network } = attempt;
    const proof = await provePassphrase(ctx, scrypt, { ...it, name, network });
    const proven: Proven | null = proof && {
      operatorId: proof.operatorId,
      method: 'passphrase',
      take: (tx) => takeStep(tx, proof),
    };
    answer(req, res, await stepUp(ctx, req, res, proven, attempt));
  };
}

/** A challenge of one session answers no other. */
function aboutStepUp(req: Request): string {
  return `step_up ${operatorOf(req).sessionId}`;
}

/** POST /admin/api/step-up/passkey/options `{}`: `{options}` for the device. */
export function stepUpQuestion(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const options = await passkeyQuestion(ctx, req, aboutStepUp(req));
    answer(req, res, { options });
  };
}

/**
 * POST /admin/api/step-up/passkey `{response}`: as with a passphrase. 401, 403,
 * 429.
 */
export function stepUpByPasskey(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { response } = parseBody(withPasskey, req.body);
    const attempt = await takeAttempt(ctx, req, operatorOf(req).name);
    const proof = await provePasskey(ctx, req, aboutStepUp(req), response);
    const proven = proof && byPasskey(proof, ctx.clock.now());
    answer(req, res, await stepUp(ctx, req, res, proven, attempt));
  };
}
