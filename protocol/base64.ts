const ALPHABET =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const PADDING = '='.charCodeAt(0);
const INVALID = 255;
const VALUES = new Uint8Array(128).fill(INVALID);
for (const [value, code] of CODES.entries()) VALUES[code] = value;
/** Bytes taken at a time, whole groups of three: a call has so many letters. */
const AT_ONCE = 3072;

function letter(bits: number): number {
  return CODES[bits & 63] ?? 0;
}

/** Padded base64 of `bytes`; use `toBase64` of bytes.ts. */
export function base64Text(bytes: Uint8Array): string {
  if (bytes.length <= AT_ONCE) return String.fromCharCode(...codesOf(bytes));
  const first = bytes.subarray(0, AT_ONCE);
  return base64Text(first) + base64Text(bytes.subarray(AT_ONCE));
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

/** The bytes of canonical base64 or null; use `fromBase64` of bytes.ts. */
export function base64Bytes(text: string): Uint8Array | null {
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
