import { base64Bytes, base64Text } from './base64.js';

const encoder = new TextEncoder();
// ignoreBOM keeps a leading U+FEFF in the string: what was signed stays signed.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 of `text`, which MUST be well formed (see `isWellFormed`). */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Puts `utf8` of `text` into bytes that MUST have room for it. */
export function utf8Into(text: string, bytes: Uint8Array): void {
  encoder.encodeInto(text, bytes);
}

/** How many bytes `utf8` makes of `text`, without making them. */
export function utf8Length(text: string): number {
  let length = text.length;
  if (!/[\u0080-\uffff]/.test(text)) return length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    const isHalf = unit >= 0xd800 && unit <= 0xdfff; // two make four bytes
    length += unit < 0x800 || isHalf ? 1 : 2;
  }
  return length;
}

/** The text of `bytes`, or null where they are not valid UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** False for a string with an unpaired surrogate, which has no UTF-8. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** Padded base64, RFC 4648 section 4. */
export function toBase64(bytes: Uint8Array): string {
  return base64Text(bytes);
}

/**
 * The bytes of canonical padded base64 (RFC 4648 section 4, spec/mesh.md §B1),
 * or null: for junk, missing padding, non-zero trailing bits, or another length
 * than `length` bytes.
 */
export function fromBase64(text: string, length?: number): Uint8Array | null {
  const bytes = base64Bytes(text);
  if (bytes === null) return null;
  return length === undefined || bytes.length === length ? bytes : null;
}

const HEX = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/** Lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** The bytes of lower-case hexadecimal, or null. */
export function fromHex(text: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(text.slice(at * 2, at * 2 + 2), 16);
  }
  return bytes;
}

/** Not constant time: for public values (hashes, keys, notes) only. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] !== b[at]) return false;
  }
  return true;
}

export function concat(...parts: Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Two bytes, big endian; `value` MUST be 0..65535. */
export function u16be(value: number): Uint8Array {
  return Uint8Array.of(value >>> 8, value & 0xff);
}

const WORD = 2 ** 32;

/** Eight bytes, big endian; `value` MUST be a safe integer of 0 or more. */
export function u64be(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(value / WORD));
  view.setUint32(4, value % WORD);
  return bytes;
}

/** Reads the first eight bytes; null above 2^53 - 1 or when too short. */
export function fromU64be(bytes: Uint8Array): number | null {
  if (bytes.length < 8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const value = view.getUint32(0) * WORD + view.getUint32(4);
  return Number.isSafeInteger(value) ? value : null;
}
