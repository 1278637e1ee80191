import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { parseBody } from '../../http/body/validate.js';
import { actorOf, recordAudit } from '../audit.js';
import { operatorOf } from '../session.js';
import { endSessions } from '../session-store.js';
import { answer } from './answers.js';
import { spendChallenge } from './challenge.js';
import { credentialIds, lockAccount } from './credentials.js';
import { deviceLabel } from './device-label.js';
import { label, passkeyAnswer, passphrase, totp, totpToken } from './fields.js';
import {
  newPasskeyOptions,
  savePasskey,
  verifyNewPasskey,
} from './new-passkey.js';
import { preparePassphrase, savePassphrase } from './passphrase-store.js';
import type { ScryptQueue } from './scrypt-queue.js';
import { wrongCredential } from './sign-in.js';
import { offerTotp } from './totp.js';

const nothing = z.strictObject({});
const newPasskey = z.strictObject({
  label: label.optional(),
  response: passkeyAnswer,
});
const newPassphrase = z.strictObject({
  passphrase,
  totp_token: totpToken,
  totp,
});

/** What a page is asked belongs to its session and to no other. */
function about(req: Request): string {
  return `session ${operatorOf(req).sessionId}`;
}

/** POST /admin/api/credentials/passkey/options `{}`: `{options}`; 403. */
export function addPasskeyOptions(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseBody(nothing, req.body);
    const { operatorId, name, alias } = operatorOf(req);
    const have = await credentialIds(ctx.writes, operatorId);
    const account = { name, alias, have };
    const options = await newPasskeyOptions(ctx, req, about(req), account);
    answer(req, res, { options });
  };
}

/** POST /admin/api/credentials/passkey `{response, label?}`: 201; 400, 403. */
export function addPasskey(ctx: Context): RequestHandler {
  return async (req, res) => {
    const it = parseBody(newPasskey, req.body);
    const operator = operatorOf(req);
    const passkey = await verifyNewPasskey(ctx, req, about(req), it.response);
    const name = it.label ?? deviceLabel(req);
    const now = ctx.clock.now();
    await ctx.writes.transaction(async (tx) => {
      await lockAccount(tx, operator);
      if (!(await spendChallenge(tx, passkey.challenge, now))) {
        throw wrongCredential();
      }
      await savePasskey(tx, operator.operatorId, passkey, name, now);
      const deed = {
        action: 'credential.passkey',
        subject: `operator:${operator.name}`,
        after: { passkey: name },
      };
      await recordAudit(tx, actorOf(operator), deed, now);
    });
    const id = passkey.credentialId.toString('base64url');
    answer(req, res, { id, label: name }, 201);
  };
}

/** POST /admin/api/credentials/totp `{}`: `{token, secret, uri}`. */
export function addTotp(ctx: Context): RequestHandler {
  return (req, res) => {
    parseBody(nothing, req.body);
    answer(req, res, offerTotp(ctx, about(req), operatorOf(req).name));
  };
}

/**
 * POST /admin/api/credentials/passphrase `{passphrase, totp_token, totp}`: a
 * first or another passphrase with its TOTP; other sessions end. 400.
 */
export function setPassphrase(
  ctx: Context,
  scrypt: ScryptQueue,
): RequestHandler {
  return async (req, res) => {
    const it = parseBody(newPassphrase, req.body);
    const operator = operatorOf(req);
    const names = [operator.name, operator.alias, ctx.config.boardTitle];
    const prepared = await preparePassphrase(
      ctx,
      scrypt,
      about(req),
      it,
      names,
    );
    await ctx.writes.transaction(async (tx) => {
      await lockAccount(tx, operator);
      await savePassphrase(tx, ctx, operator.operatorId, prepared);
      await endSessions(tx, operator.operatorId, { but: operator.sessionId });
      const deed = {
        action: 'credential.passphrase',
        subject: `operator:${operator.name}`,
      };
      await recordAudit(tx, actorOf(operator), deed, ctx.clock.now());
    });
    answer(req, res, { changed: true });
  };
}
