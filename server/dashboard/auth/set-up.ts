import { z } from 'zod';
import { publicTime } from '../../clock.js';
import { command, type RequestCall } from '../command.js';
import { deviceLabel } from '../session-store.js';
import { countSetUp } from './attempts.js';
import { spendChallenge } from './challenge.js';
import { enrol } from './enrol.js';
import {
  alias,
  boardAnswer,
  inviteCode,
  label,
  methodsOf,
  operatorName,
  passkeyAnswer,
  passphrase,
  totp,
  totpToken,
} from './fields.js';
import { lookUpInvite } from './invites.js';
import { newPasskeyOptions, savePasskey, verifyNewPasskey } from './passkey.js';
import { preparePassphrase, savePassphrase } from './passphrase.js';
import { offerTotp } from './totp.js';

const looked = z.strictObject({ code: inviteCode });
const named = looked.extend({ name: operatorName.optional() });
const chosen = named.extend({ alias: alias.optional() });

async function invited({ ctx, req, input }: RequestCall<{ code: string }>) {
  await countSetUp(ctx, req);
  return await lookUpInvite(ctx, input.code);
}

/** Does not use the link up (spec/operators.md §1.1). 404 for a dead one. */
export const lookAtSetup = command({
  name: 'setup.look',
  http: 'POST /setup/look',
  right: 'anyone',
  input: looked,
  handle: async (call) => {
    const { ctx, req } = call;
    const invite = await invited(call);
    return {
      // Null: chosen when it is opened.
      name: invite.name,
      role: invite.role,
      expires_at: publicTime(invite.expiresAt),
      methods: methodsOf(ctx, req),
      board: boardAnswer(ctx),
    };
  },
});

/** `{token, secret, uri}`, valid for 10 minutes. 404 for a dead link. */
export const setupTotp = command({
  name: 'setup.totp',
  http: 'POST /setup/totp',
  right: 'anyone',
  input: named,
  handle: async (call) => {
    const { code, name } = call.input;
    const invite = await invited(call);
    return offerTotp(call.ctx, code, invite.name ?? name ?? 'operator');
  },
});

/**
 * Signs in and shows recovery codes once. 201; 404; 400 for a bad passphrase or
 * code, which leaves the link as it was.
 */
export const setupPassphrase = command({
  name: 'setup.passphrase',
  http: 'POST /setup/passphrase',
  right: 'anyone',
  input: chosen.extend({
    label: label.optional(),
    passphrase,
    totp_token: totpToken,
    totp,
  }),
  status: 201,
  handle: async (call) => {
    const { ctx, input: it } = call;
    const invite = await invited(call);
    const prepared = await preparePassphrase(ctx, it.code, it, [
      invite.name ?? it.name ?? '',
      it.alias ?? '',
      ctx.config.boardTitle,
    ]);
    return await enrol(call, 'passphrase', (tx, operatorId) =>
      savePassphrase(tx, ctx, operatorId, prepared),
    );
  },
});

/** `{options}`. 403 where passkeys are impossible, 404 for a dead link. */
export const setupPasskeyOptions = command({
  name: 'setup.passkey_options',
  http: 'POST /setup/passkey/options',
  right: 'anyone',
  input: chosen,
  handle: async (call) => {
    const { ctx, req } = call;
    const { code, name, alias } = call.input;
    const invite = await invited(call);
    const account = invite.name ?? name ?? 'operator';
    const about = { name: account, alias: alias ?? account, have: [] };
    return { options: await newPasskeyOptions(ctx, req, code, about) };
  },
});

/** Signs in and shows recovery codes once. 201; 400, 403, 404. */
export const setupPasskey = command({
  name: 'setup.passkey',
  http: 'POST /setup/passkey',
  right: 'anyone',
  input: chosen.extend({ label: label.optional(), response: passkeyAnswer }),
  status: 201,
  handle: async (call) => {
    const { ctx, req, input: it } = call;
    // Before the passkey is parsed: the link may be dead.
    await invited(call);
    const passkey = await verifyNewPasskey(ctx, req, it.code, it.response);
    return await enrol(call, 'passkey', async (tx, operatorId) => {
      const now = ctx.clock.now();
      await spendChallenge(tx, passkey.challenge, now);
      const name = it.label ?? deviceLabel(req);
      await savePasskey(tx, operatorId, passkey, name, now);
    });
  },
});
