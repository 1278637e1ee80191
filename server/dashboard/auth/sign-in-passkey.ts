import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { parseBody } from '../../http/body/validate.js';
import { answer } from './answers.js';
import { takeAttempt } from './attempts.js';
import { spendChallenge } from './challenge.js';
import { label, passkeyAnswer } from './fields.js';
import {
  ownerOf,
  type PasskeyProof,
  passkeyQuestion,
  provePasskey,
  takeCounter,
} from './passkey.js';
import { type Proven, signIn } from './sign-in.js';

const nothing = z.strictObject({});
const request = z.strictObject({
  label: label.optional(),
  response: passkeyAnswer,
});
const ABOUT = 'sign_in';

/** A checked passkey, to be taken in the transaction that lets it in. */
export function byPasskey(proof: PasskeyProof, now: number): Proven {
  return {
    operatorId: proof.operatorId,
    method: 'passkey',
    take: async (tx) =>
      (await spendChallenge(tx, proof.challenge, now)) &&
      (await takeCounter(tx, proof, now)),
  };
}

/**
 * POST /admin/api/sign-in/passkey/options `{}`: `{options}` for the device, the
 * same for everybody. 403 where passkeys cannot be.
 */
export function signInQuestion(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    answer(req, res, { options: await passkeyQuestion(ctx, req, ABOUT) });
  };
}

/**
 * POST /admin/api/sign-in/passkey `{response, label?}`: 200 with account and
 * session, and its cookie; 401, 403, 429 as with a passphrase.
 */
export function signInByPasskey(ctx: Context): RequestHandler {
  return async (req, res) => {
    const it = parseBody(request, req.body);
    const owner = await ownerOf(ctx.writes, it.response.id);
    const account = owner ?? `passkey ${it.response.id}`;
    const attempt = await takeAttempt(ctx, req, account);
    const proof = await provePasskey(ctx, req, ABOUT, it.response);
    const proven = proof && byPasskey(proof, ctx.clock.now());
    answer(req, res, await signIn(ctx, req, res, proven, attempt, it.label));
  };
}
