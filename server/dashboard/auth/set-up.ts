import { z } from 'zod';
import { publicTime } from '../../clock.js';
import { type ActionCall, action } from '../actions.js';
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

/** Counts the step. */
async function invited({ ctx, req, body }: ActionCall<{ code: string }>) {
  await countSetUp(ctx, req);
  return await lookUpInvite(ctx, body.code);
}

/** Does not use the link up (spec/operators.md §1.1). 404 for a dead one. */
export const lookAtSetup = action({
  name: 'setup.look',
  post: '/setup/look',
  least: 'anyone',
  body: looked,
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
export const setupTotp = action({
  name: 'setup.totp',
  post: '/setup/totp',
  least: 'anyone',
  body: named,
  handle: async (call) => {
    const { code, name } = call.body;
    const invite = await invited(call);
    return offerTotp(call.ctx, code, invite.name ?? name ?? 'operator');
  },
});

/**
 * Signs in and shows recovery codes once. 201; 404; 400 for a bad passphrase or
 * code, which leaves the link as it was.
 */
export const setupPassphrase = action({
  name: 'setup.passphrase',
  post: '/setup/passphrase',
  least: 'anyone',
  body: chosen.extend({
    label: label.optional(),
    passphrase,
    totp_token: totpToken,
    totp,
  }),
  status: 201,
  handle: async (call) => {
    const { ctx, body: it } = call;
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
export const setupPasskeyOptions = action({
  name: 'setup.passkey_options',
  post: '/setup/passkey/options',
  least: 'anyone',
  body: chosen,
  handle: async (call) => {
    const { ctx, req } = call;
    const { code, name, alias } = call.body;
    const invite = await invited(call);
    const account = invite.name ?? name ?? 'operator';
    const about = { name: account, alias: alias ?? account, have: [] };
    return { options: await newPasskeyOptions(ctx, req, code, about) };
  },
});

/** Signs in and shows recovery codes once. 201; 400, 403, 404. */
export const setupPasskey = action({
  name: 'setup.passkey',
  post: '/setup/passkey',
  least: 'anyone',
  body: chosen.extend({ label: label.optional(), response: passkeyAnswer }),
  status: 201,
  handle: async (call) => {
    const { ctx, req, body: it } = call;
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
