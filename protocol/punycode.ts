/** Parameters of RFC 3492 §5. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 0x80;
const LAST_CODE = 0x10ffff;

/** {@link BASE} for anything else. */
function digitOf(text: string, at: number): number {
  const value = Number.parseInt(text.charAt(at), BASE);
  if (Number.isNaN(value)) return BASE;
  return value < 10 ? value + 26 : value - 10;
}

function adapted(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / points);
  let bias = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; bias += BASE) {
    rest = Math.floor(rest / (BASE - T_MIN));
  }
  return bias + Math.floor((BASE * rest) / (rest + SKEW));
}

/**
 * RFC 3492 §6.2, without `xn--`; null for invalid labels. MUST be lower-case
 * letters, digits and hyphens.
 */
export function punycodeText(text: string): string | null {
  const basic = Math.max(text.lastIndexOf('-'), 0);
  const points = Array.from(text.slice(0, basic), (one) => one.charCodeAt(0));
  let code = FIRST_CODE;
  let bias = FIRST_BIAS;
  let index = 0;
  let at = text.includes('-') ? basic + 1 : 0;
  while (at < text.length) {
    const before = index;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text, at);
      at += 1;
      if (digit === BASE) return null;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = points.length + 1;
    bias = adapted(index - before, length, before === 0);
    code += Math.floor(index / length);
    index %= length;
    if (!(code <= LAST_CODE)) return null;
    if (code >= 0xd800 && code <= 0xdfff) return null;
    points.splice(index, 0, code);
    index += 1;
  }
  return String.fromCodePoint(...points);
}
