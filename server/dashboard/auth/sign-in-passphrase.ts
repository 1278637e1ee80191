import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { parseBody } from '../../http/body/validate.js';
import { answer } from './answers.js';
import { takeAttempt } from './attempts.js';
import { label, passphrase, totp, typedName } from './fields.js';
import { provePassphrase, takeStep } from './passphrase-store.js';
import type { ScryptQueue } from './scrypt-queue.js';
import { type Proven, signIn } from './sign-in.js';

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
export function signInByPassphrase(
  ctx: Context,
  scrypt: ScryptQueue,
): RequestHandler {
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
