import { z } from 'zod';
import { action } from '../actions.js';
import type { SignedIn } from '../session.js';
import { deviceLabel, endSessions } from '../session-store.js';
import { wrongCredential } from './attempts.js';
import { spendChallenge } from './challenge.js';
import { changeCredentials, passkeysOf } from './credentials.js';
import { label, passkeyAnswer, passphrase, totp, totpToken } from './fields.js';
import { newPasskeyOptions, savePasskey, verifyNewPasskey } from './passkey.js';
import { preparePassphrase, savePassphrase } from './passphrase.js';
import { offerTotp } from './totp.js';

/** Binds a challenge to its session. */
const about = ({ sessionId }: SignedIn) => `session ${sessionId}`;

export const addPasskeyOptions = action({
  name: 'credential.passkey_options',
  post: '/credentials/passkey/options',
  least: 'viewer',
  fresh: true,
  handle: async ({ ctx, req, operator }) => {
    const { operatorId, name, alias } = operator;
    // The device must not add these again.
    const have = await passkeysOf(ctx.writes, operatorId);
    const account = { name, alias, have };
    return {
      options: await newPasskeyOptions(ctx, req, about(operator), account),
    };
  },
});

export const addPasskey = action({
  name: 'credential.passkey',
  post: '/credentials/passkey',
  least: 'viewer',
  fresh: true,
  body: z.strictObject({ label: label.optional(), response: passkeyAnswer }),
  status: 201,
  handle: async (call) => {
    const { ctx, req, operator, body } = call;
    const session = about(operator);
    const passkey = await verifyNewPasskey(ctx, req, session, body.response);
    const name = body.label ?? deviceLabel(req);
    return await changeCredentials(call, async (tx, now) => {
      if (!(await spendChallenge(tx, passkey.challenge, now))) {
        throw wrongCredential();
      }
      await savePasskey(tx, operator.operatorId, passkey, name, now);
      const id = passkey.credentialId.toString('base64url');
      return { answer: { id, label: name }, after: { passkey: name } };
    });
  },
});

export const addTotp = action({
  name: 'credential.totp',
  post: '/credentials/totp',
  least: 'viewer',
  fresh: true,
  handle: ({ ctx, operator }) => offerTotp(ctx, about(operator), operator.name),
});

/** A first or another passphrase with its TOTP; other sessions end. 400. */
export const setPassphrase = action({
  name: 'credential.passphrase',
  post: '/credentials/passphrase',
  least: 'viewer',
  fresh: true,
  body: z.strictObject({ passphrase, totp_token: totpToken, totp }),
  handle: async (call) => {
    const { ctx, operator, body } = call;
    const { operatorId, sessionId, name, alias } = operator;
    const names = [name, alias, ctx.config.boardTitle];
    const prepared = await preparePassphrase(ctx, about(operator), body, names);
    return await changeCredentials(call, async (tx) => {
      await savePassphrase(tx, ctx, operatorId, prepared);
      await endSessions(tx, operatorId, { but: sessionId });
      return { answer: { changed: true } };
    });
  },
});
