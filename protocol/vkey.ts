import { concat, fromBase64, sha256, toBase64, toHex, utf8 } from './bytes.js';
import { isKeyName } from './key-name.js';
import { accepted, refused, type Verdict } from './verdict.js';

/** C2SP signed-note types. */
export const ED25519 = 0x01;
export const COSIGNATURE = 0x04;
export type KeyType = typeof ED25519 | typeof COSIGNATURE;

/** `keyId` 4 bytes, `publicKey` 32 bytes. */
export type Vkey = {
  name: string;
  type: KeyType;
  keyId: Uint8Array;
  publicKey: Uint8Array;
};

/** The key id is `SHA256(name ‖ 0x0A ‖ type ‖ key)[:4]` (spec/mesh.md §A1). */
export function makeVkey(
  name: string,
  type: KeyType,
  publicKey: Uint8Array,
): Vkey {
  const head = utf8(`${name}\n`);
  const hash = sha256(head, Uint8Array.of(type), publicKey);
  return { name, type, keyId: hash.slice(0, 4), publicKey };
}

/** `name+hex(keyid)+base64(type ‖ key)` (C2SP signed-note). */
export function formatVkey({ name, type, keyId, publicKey }: Vkey): string {
  const key = toBase64(concat(Uint8Array.of(type), publicKey));
  return `${name}+${toHex(keyId)}+${key}`;
}

/** For the eye only: a key is confirmed by the whole of it. */
export function fingerprintOf(vkey: string): string {
  return toHex(sha256(utf8(vkey)).slice(0, 8));
}

/** Refuses unknown types and wrong key ids. */
export function parseVkey(text: string): Verdict<Vkey, 'bad_vkey'> {
  const [name = '', , ...rest] = text.split('+');
  // Base64 may contain '+'.
  const typed = fromBase64(rest.join('+'), 33);
  if (!isKeyName(name) || typed === null) return refused('bad_vkey');
  const type = typed[0];
  if (type !== ED25519 && type !== COSIGNATURE) return refused('bad_vkey');
  const vkey = makeVkey(name, type, typed.slice(1));
  return formatVkey(vkey) === text ? accepted(vkey) : refused('bad_vkey');
}
