import { sha256 as portable } from '@noble/hashes/sha2.js';

const encoder = new TextEncoder();
// ignoreBOM keeps a leading U+FEFF in the string: what was signed stays signed.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const ALPHABET =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const PADDING = '='.charCodeAt(0);
const INVALID = 255;
const VALUES = new Uint8Array(128).fill(INVALID);
for (const [value, code] of CODES.entries()) VALUES[code] = value;
/** A multiple of three; a call takes so many arguments. */
const AT_ONCE = 3072;

/** `text` MUST be well formed (see `isWellFormed`). */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** `bytes` MUST have room for it. */
export function utf8Into(text: string, bytes: Uint8Array): void {
  encoder.encodeInto(text, bytes);
}

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

/** Null for invalid UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Without a byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** False with an unpaired surrogate, which UTF-8 cannot encode. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

function letter(bits: number): number {
  return CODES[bits & 63] ?? 0;
}

/** Padded base64, RFC 4648 section 4. */
export function toBase64(bytes: Uint8Array): string {
  if (bytes.length <= AT_ONCE) return String.fromCharCode(...codesOf(bytes));
  const first = bytes.subarray(0, AT_ONCE);
  return toBase64(first) + toBase64(bytes.subarray(AT_ONCE));
}

function codesOf(bytes: Uint8Array): number[] {
  const codes = new Array<number>(4 * Math.ceil(bytes.length / 3));
  let next = 0;
  for (let at = 0; at < bytes.length; at += 3, next += 4) {
    const middle = bytes[at + 1] ?? 0;
    const low = bytes[at + 2] ?? 0;
    const bits = ((bytes[at] ?? 0) << 16) | (middle << 8) | low;
    codes[next] = letter(bits >>> 18);
    codes[next + 1] = letter(bits >>> 12);
    codes[next + 2] = letter(bits >>> 6);
    codes[next + 3] = letter(bits);
  }
  const rest = bytes.length % 3;
  if (rest !== 0) codes[next - 1] = PADDING;
  if (rest === 1) codes[next - 2] = PADDING;
  return codes;
}

function valueAt(text: string, at: number): number {
  return VALUES[text.charCodeAt(at)] ?? INVALID;
}

function base64Bytes(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const letters = text.length - padding;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let held = 0;
  let next = 0;
  for (let at = 0; at < letters; at += 1) {
    const value = valueAt(text, at);
    if (value === INVALID) return null;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[next] = (bits >>> held) & 0xff;
      next += 1;
    }
  }
  // Bits beyond the last byte must be zero: one spelling per value.
  return (bits & ((1 << held) - 1)) === 0 ? bytes : null;
}

/** Canonical padded base64 (RFC 4648 section 4), else null. */
export function fromBase64(text: string, length?: number): Uint8Array | null {
  const bytes = base64Bytes(text);
  if (bytes === null) return null;
  return length === undefined || bytes.length === length ? bytes : null;
}

const HEX = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Null unless lower-case hexadecimal. */
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
  if (a === b) return true;
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

/** SHA-256, 32 bytes. */
export type Digest = (bytes: Uint8Array) => Uint8Array;

let digest: Digest = portable;
/** Overwritten by each call. */
const joined = new Uint8Array(16_384);

/**
 * Replaces the portable SHA-256 by the platform's faster one, before anything
 * is hashed. It MUST give the same bytes.
 */
export function useDigest(native: Digest): void {
  digest = native;
}

/** SHA-256 (FIPS 180-4) of the joined parts: 32 bytes. */
export function sha256(...parts: Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return digest(first);
  let length = 0;
  for (const part of parts) length += part.length;
  if (length > joined.length) return digest(concat(...parts));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return digest(joined.subarray(0, length));
}
