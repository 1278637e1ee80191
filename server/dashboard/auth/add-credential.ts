import { z } from 'zod';
import { command } from '../command.js';
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

export const addPasskeyOptions = command({
  name: 'credential.passkey_options',
  http: 'POST /credentials/passkey/options',
  right: 'viewer',
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

export const addPasskey = command({
  name: 'credential.passkey',
  http: 'POST /credentials/passkey',
  right: 'viewer',
  fresh: true,
  input: z.strictObject({ label: label.optional(), response: passkeyAnswer }),
  status: 201,
  handle: async (call) => {
    const { ctx, req, operator, input } = call;
    const session = about(operator);
    const passkey = await verifyNewPasskey(ctx, req, session, input.response);
    const name = input.label ?? deviceLabel(req);
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

export const addTotp = command({
  name: 'credential.totp',
  http: 'POST /credentials/totp',
  right: 'viewer',
  fresh: true,
  handle: ({ ctx, operator }) => offerTotp(ctx, about(operator), operator.name),
});

/** A first or another passphrase with its TOTP; other sessions end. 400. */
export const setPassphrase = command({
  name: 'credential.passphrase',
  http: 'POST /credentials/passphrase',
  right: 'viewer',
  fresh: true,
  input: z.strictObject({ passphrase, totp_token: totpToken, totp }),
  handle: async (call) => {
    const { ctx, operator, input } = call;
    const { operatorId, sessionId, name, alias } = operator;
    const names = [name, alias, ctx.config.boardTitle];
    const prepared = await preparePassphrase(
      ctx,
      about(operator),
      input,
      names,
    );
    return await changeCredentials(call, async (tx, now) => {
      await savePassphrase(tx, ctx, operatorId, prepared);
      await endSessions(tx, operatorId, now, { but: sessionId });
      return { answer: { changed: true } };
    });
  },
});
