import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import type { Context } from '../../context.js';

const IV = 12;
const TAG = 16;

/** A key of the board's seed for one use of the operators' door. */
export function operatorKey({ keys }: Pick<Context, 'keys'>, use: string) {
  const info = `reserve-board/operator/${use}/v1`;
  return Buffer.from(hkdfSync('sha256', keys.server, '', info, 32));
}

/**
 * AES-256-GCM under a key of the board's seed: a copy of the database alone
 * tells no TOTP secret. `about` is what the text belongs to, and must be the
 * same to open it.
 */
export function seal(
  ctx: Pick<Context, 'keys'>,
  about: string,
  plain: Uint8Array,
): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', operatorKey(ctx, 'seal'), iv);
  cipher.setAAD(Buffer.from(about, 'utf8'));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, text, cipher.getAuthTag()]);
}

/** What was sealed about the same thing by the same board, or null. */
export function unseal(
  ctx: Pick<Context, 'keys'>,
  about: string,
  sealed: Uint8Array,
): Buffer | null {
  if (sealed.length < IV + TAG) return null;
  const bytes = Buffer.from(sealed);
  const cipher = createDecipheriv(
    'aes-256-gcm',
    operatorKey(ctx, 'seal'),
    bytes.subarray(0, IV),
    { authTagLength: TAG },
  );
  cipher.setAAD(Buffer.from(about, 'utf8'));
  cipher.setAuthTag(bytes.subarray(-TAG));
  try {
    const text = cipher.update(bytes.subarray(IV, -TAG));
    return Buffer.concat([text, cipher.final()]);
  } catch {
    return null;
  }
}
