import type { Request } from 'express';
import { z } from 'zod';
import { ALIAS_MAX } from '../../../protocol/moderation.js';
import { publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import { notBlank } from '../../http/body/validate.js';
import { ROLES } from '../roles.js';
import { FRESH_MS, relyingParty, type SignedIn } from '../session.js';

const LABEL_MAX = 60;
const PASSPHRASE_MAX = 256;

/** No control, format or line separator characters. */
function plainText(max: number) {
  return notBlank(z.string().max(max)).refine(
    (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text),
    { error: 'must contain no control or invisible formatting characters' },
  );
}

/** Used to sign in. */
export const operatorName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?$/, {
    error:
      'must be 1 to 32 lower-case letters, digits, dots, hyphens or underscores, with a letter or digit at both ends',
  })
  .describe('1 to 32 of a-z, 0-9, dot, hyphen and underscore.');

/** Accepts anything, so that a refusal reveals nothing. */
export const typedName = z
  .string()
  .max(100)
  .transform((text) => text.normalize('NFKC').trim().toLowerCase());

export const alias = plainText(ALIAS_MAX).describe('What readers see.');
export const label = plainText(LABEL_MAX).describe('Names the device.');
export const role = z.enum(ROLES);
export const inviteCode = z.string().min(1).max(100);
/** Six digits; blanks and hyphens are ignored. */
export const totp = z
  .string()
  .max(40)
  .transform((text) =>
    text.normalize('NFKC').replace(/[\s\p{Pd}\p{Cf}\u2212]/gu, ''),
  );
/** Only new ones are checked for quality. */
export const passphrase = z.string().max(PASSPHRASE_MAX);
export const totpToken = z.string().max(200);

/** As browsers serialise it (WebAuthn 3); the library checks it. */
export const passkeyAnswer = z.looseObject({
  id: z.string().max(1400),
  rawId: z.string().max(1400),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string().max(4000) }),
});

export type AccountAnswer = ReturnType<typeof accountAnswer>;

export function accountAnswer(it: SignedIn) {
  const { operatorId: id, name, alias, role } = it;
  return {
    operator: { id, name, alias, role },
    session: {
      id: it.sessionId,
      method: it.method,
      expires_at: publicTime(it.expiresAt),
      /** Until then no credential is asked for again. */
      fresh_until: publicTime(it.credentialAt + FRESH_MS),
    },
  };
}

export function methodsOf(
  ctx: Context,
  req: Request,
): ('passkey' | 'passphrase')[] {
  const passkeys = relyingParty(ctx, req) !== null;
  return passkeys ? ['passkey', 'passphrase'] : ['passphrase'];
}

export function boardAnswer({ board, config }: Context) {
  return { name: board.name, title: config.boardTitle };
}
