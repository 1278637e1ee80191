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
/** Bytes taken at a time, whole groups of three: a call has so many letters. */
const AT_ONCE = 3072;

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

/** The text of a file: a byte order mark before it is part of its encoding. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** False for a string with an unpaired surrogate, which has no UTF-8. */
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
  // Bits that fill no byte must be zero, or two texts would mean one value.
  return (bits & ((1 << held) - 1)) === 0 ? bytes : null;
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

/** SHA-256 of all bytes at once: 32 bytes of their own. */
export type Digest = (bytes: Uint8Array) => Uint8Array;

let digest: Digest = portable;
/** Scratch space to join short parts in; each call overwrites it. */
const joined = new Uint8Array(16_384);

/**
 * Hands in the platform's own SHA-256, several times as fast as the portable
 * one that stands here for browsers. It MUST answer the same bytes; whoever
 * starts a process or a thread says it once, before anything is hashed.
 */
export function useDigest(native: Digest): void {
  digest = native;
}

/** SHA-256 (FIPS 180-4) of the parts, one after the other: 32 bytes. */
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
