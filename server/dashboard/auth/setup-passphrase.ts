import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { parseBody } from '../../http/body/validate.js';
import { answer } from './answers.js';
import { enrol } from './enrol.js';
import {
  alias,
  inviteCode,
  label,
  operatorName,
  passphrase,
  totp,
  totpToken,
} from './fields.js';
import { lookUpInvite } from './invite.js';
import { preparePassphrase, savePassphrase } from './passphrase-store.js';
import type { ScryptQueue } from './scrypt-queue.js';
import { offerTotp } from './totp.js';

const asked = z.strictObject({
  code: inviteCode,
  name: operatorName.optional(),
});
const request = z.strictObject({
  code: inviteCode,
  name: operatorName.optional(),
  alias: alias.optional(),
  label: label.optional(),
  passphrase,
  totp_token: totpToken,
  totp,
});

/**
 * POST /admin/api/setup/totp `{code, name?}`: `{token, secret, uri}`, a secret
 * for an authenticator app, good for 10 minutes. 404 for a link that does not
 * work any more.
 */
export function setupTotp(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { code, name } = parseBody(asked, req.body);
    const invite = await lookUpInvite(ctx.writes, code, ctx.clock.now());
    answer(req, res, offerTotp(ctx, code, invite.name ?? name ?? 'operator'));
  };
}

/**
 * POST /admin/api/setup/passphrase `{code, name?, alias?, label?, passphrase,
 * totp_token, totp}`: the account with its passphrase and TOTP; signs in, and
 * shows the recovery codes once. 201; 400 for a short or common passphrase or
 * a wrong code, which leave the link as it was; 404.
 */
export function setupPassphrase(
  ctx: Context,
  scrypt: ScryptQueue,
): RequestHandler {
  return async (req, res) => {
    const it = parseBody(request, req.body);
    const invite = await lookUpInvite(ctx.writes, it.code, ctx.clock.now());
    const prepared = await preparePassphrase(ctx, scrypt, it.code, it, [
      invite.name ?? it.name ?? '',
      it.alias ?? '',
      ctx.config.boardTitle,
    ]);
    const enrolled = await enrol(
      ctx,
      req,
      res,
      it,
      'passphrase',
      (tx, operatorId) => savePassphrase(tx, ctx, operatorId, prepared),
    );
    answer(req, res, enrolled, 201);
  };
}
