import { z } from 'zod';
import { notBlank } from '../../http/body/validate.js';
import { ROLES } from '../roles.js';
import { typedPassphrase } from './passphrase-rules.js';

const ALIAS_MAX = 48;
const LABEL_MAX = 60;

/** Text that shows as it is: no control, format or line separator marks. */
function plainText(max: number) {
  return notBlank(z.string().max(max)).refine(
    (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text),
    { error: 'must hold no control or invisible formatting characters' },
  );
}

/** What an operator signs in with. */
export const operatorName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?$/)
  .describe('1 to 32 of a-z, 0-9, dot, hyphen and underscore.');

/** A name as somebody types it to sign in: anything, so nothing is told. */
export const typedName = z
  .string()
  .max(100)
  .transform((text) => text.normalize('NFKC').trim().toLowerCase());

export const alias = plainText(ALIAS_MAX).describe('What readers see.');
export const label = plainText(LABEL_MAX).describe('Names the device.');
export const role = z.enum(ROLES);
export const inviteCode = z.string().min(1).max(100);
export const totp = z.string().max(10);
export const passphrase = typedPassphrase;
export const totpToken = z.string().max(200);

/**
 * A passkey's answer as browsers hand it over (WebAuthn 3, toJSON); the parts
 * are read by the library that checks them.
 */
export const passkeyAnswer = z.looseObject({
  id: z.string().max(1400),
  rawId: z.string().max(1400),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string().max(4000) }),
});
