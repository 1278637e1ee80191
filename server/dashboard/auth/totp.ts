import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../../context.js';
import { ANSWER_MS, seal, unseal } from './challenge.js';

const STEP_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const SECRET_BYTES = 20;
const TIME = 8;

/** HMAC-SHA-1, six digits (RFC 6238). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac[mac.length - 1] ?? 0) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000;
  return String(number).padStart(6, '0');
}

/** Of this step or its neighbours. The caller stores the last one used. */
export function totpStep(
  secret: Uint8Array,
  code: string,
  now: number,
): number | null {
  const present = Math.floor(now / STEP_MS);
  const steps = [present - 1, present, present + 1];
  return steps.find((step) => totpCode(secret, step) === code) ?? null;
}

/** Without padding, as authenticator apps read it. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0'));
  const fives = bits.join('').match(/.{1,5}/g) ?? [];
  return fives
    .map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

/** `token` carries the secret: nothing is stored until it is proven. */
export function offerTotp(
  ctx: Pick<Context, 'keys' | 'clock' | 'config'>,
  about: string,
  account: string,
) {
  const secret = randomBytes(SECRET_BYTES);
  const until = Buffer.alloc(TIME);
  until.writeBigUInt64BE(BigInt(ctx.clock.now() + ANSWER_MS));
  const token = seal(ctx, `totp ${about}`, Buffer.concat([until, secret]));
  const issuer = encodeURIComponent(ctx.config.boardTitle);
  const label = `${issuer}:${encodeURIComponent(account)}`;
  return {
    token: token.toString('base64url'),
    secret: base32(secret),
    uri: `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${issuer}`,
  };
}

/** Null when the offer has ended. */
export function offeredTotp(
  ctx: Pick<Context, 'keys' | 'clock'>,
  about: string,
  token: string,
): Buffer | null {
  const bytes = Buffer.from(token, 'base64url');
  const plain = unseal(ctx, `totp ${about}`, bytes);
  if (plain === null) return null;
  const until = Number(plain.readBigUInt64BE(0));
  return ctx.clock.now() < until ? plain.subarray(TIME) : null;
}
