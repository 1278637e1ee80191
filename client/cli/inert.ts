/**
 * Terminals obey or hide these: control characters, escapes, bidi and invisible
 * formats, separators, private use, lone surrogates.
 */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;
const PICTURES = 0x2400;
const DELETE = 0x7f;

function mark(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x20) return String.fromCharCode(PICTURES + point);
  if (point === DELETE) return '\u2421';
  return `<U+${point.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** For strangers' text. */
export function inertLine(text: string): string {
  return String(text).replace(ACTIVE, mark); // a hostile board keeps to no types
}

/** Values are strangers', numbers too: a hostile board may send texts. */
export function line(
  words: TemplateStringsArray,
  ...strangers: readonly unknown[]
): string {
  const inert = strangers.map((it) => inertLine(String(it)));
  return String.raw({ raw: words }, ...inert);
}

/** Between quotation marks, which the text cannot end. */
export function quoted(text: unknown): string {
  return `"${inertLine(String(text)).replace(/["\\]/g, '\\$&')}"`;
}

/** Behind bars that the text cannot fake. */
export function inertBlock(text: string): string {
  return String(text)
    .split('\n')
    .map((line) => `  | ${inertLine(line)}`)
    .join('\n');
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at).toString(16).padStart(4, '0');
    return `\\u${unit}`;
  }).join('');
}

export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(ACTIVE, escaped);
}
