import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV = 12;
const TAG = 16;

/**
 * AES-256-GCM: nonce, ciphertext, tag.
 * @param about bound to the text; `unseal` needs the same
 */
export function seal(key: Buffer, about: string, plain: Uint8Array): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(about, 'utf8'));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, text, cipher.getAuthTag()]);
}

/** Null for another key or `about`. */
export function unseal(
  key: Buffer,
  about: string,
  sealed: Uint8Array,
): Buffer | null {
  if (sealed.length < IV + TAG) return null;
  const bytes = Buffer.from(sealed);
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV), {
    authTagLength: TAG,
  });
  cipher.setAAD(Buffer.from(about, 'utf8'));
  cipher.setAuthTag(bytes.subarray(-TAG));
  try {
    const text = cipher.update(bytes.subarray(IV, -TAG));
    return Buffer.concat([text, cipher.final()]);
  } catch {
    return null;
  }
}
