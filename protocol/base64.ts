const ALPHABET =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const LETTERS = Array.from(ALPHABET);
// Two letters at a time: twelve bits index one table entry.
const PAIRS = LETTERS.flatMap((high) => LETTERS.map((low) => high + low));
const INVALID = 255;
const VALUES = new Uint8Array(128).fill(INVALID);
for (const [value, letter] of LETTERS.entries()) {
  VALUES[letter.charCodeAt(0)] = value;
}

function pair(bits: number): string {
  return PAIRS[bits] ?? '';
}

/** Padded base64 of `bytes`; use `toBase64` of bytes.ts. */
export function base64Text(bytes: Uint8Array): string {
  const rest = bytes.length % 3;
  const whole = bytes.length - rest;
  let text = '';
  for (let at = 0; at < whole; at += 3) {
    const bits =
      ((bytes[at] ?? 0) << 16) |
      ((bytes[at + 1] ?? 0) << 8) |
      (bytes[at + 2] ?? 0);
    text += pair(bits >>> 12) + pair(bits & 0xfff);
  }
  if (rest === 1) return `${text}${pair((bytes[whole] ?? 0) << 4)}==`;
  if (rest === 0) return text;
  const bits = ((bytes[whole] ?? 0) << 10) | ((bytes[whole + 1] ?? 0) << 2);
  return `${text}${pair(bits >>> 6)}${LETTERS[bits & 63]}=`;
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
