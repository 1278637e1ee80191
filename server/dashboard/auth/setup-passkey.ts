import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { parseBody } from '../../http/body/validate.js';
import { answer } from './answers.js';
import { spendChallenge } from './challenge.js';
import { deviceLabel } from './device-label.js';
import { enrol } from './enrol.js';
import {
  alias,
  inviteCode,
  label,
  operatorName,
  passkeyAnswer,
} from './fields.js';
import { lookUpInvite } from './invite.js';
import {
  newPasskeyOptions,
  savePasskey,
  verifyNewPasskey,
} from './new-passkey.js';

const chosen = z.strictObject({
  code: inviteCode,
  name: operatorName.optional(),
  alias: alias.optional(),
});
const request = chosen.extend({
  label: label.optional(),
  response: passkeyAnswer,
});

/**
 * POST /admin/api/setup/passkey/options `{code, name?, alias?}`: what the
 * device is asked to make a passkey of. 403 where passkeys cannot be, 404 for
 * a link that does not work any more.
 */
export function setupPasskeyOptions(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { code, name, alias } = parseBody(chosen, req.body);
    const invite = await lookUpInvite(ctx.writes, code, ctx.clock.now());
    const account = invite.name ?? name ?? 'operator';
    const options = await newPasskeyOptions(ctx, req, code, {
      name: account,
      alias: alias ?? account,
      have: [],
    });
    answer(req, res, { options });
  };
}

/**
 * POST /admin/api/setup/passkey `{code, name?, alias?, label?, response}`: the
 * account with its passkey; signs in, and shows the recovery codes once. 201;
 * 400, 403, 404.
 */
export function setupPasskey(ctx: Context): RequestHandler {
  return async (req, res) => {
    const it = parseBody(request, req.body);
    const passkey = await verifyNewPasskey(ctx, req, it.code, it.response);
    const enrolled = await enrol(
      ctx,
      req,
      res,
      it,
      'passkey',
      async (tx, operatorId) => {
        const now = ctx.clock.now();
        await spendChallenge(tx, passkey.challenge, now);
        const name = it.label ?? deviceLabel(req);
        await savePasskey(tx, operatorId, passkey, name, now);
      },
    );
    answer(req, res, enrolled, 201);
  };
}
