import { BoardError } from '../../errors.js';

const ZERO = 0x30;
const COMMA = 0x2c;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const HEX4 = /^[0-9a-fA-F]{4}$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * The tokens of RFC 8259 over one decoded text, each read once from left to
 * right: no backtracking, no recursion (spec/board.md §1.6).
 */
export class JsonScanner {
  private at = 0;
  private hadEscape = false;

  constructor(private readonly text: string) {}

  /** Code of the next significant character, not taken; NaN at the end. */
  peek(): number {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        return code;
      }
      this.at += 1;
    }
  }

  /** Takes the character that `peek` has just shown. */
  skip(): void {
    this.at += 1;
  }

  word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail('a value is expected');
    this.at += word.length;
    return value;
  }

  number(): number {
    // One digit alone, the cheapest value to send in masses.
    const digit = this.text.charCodeAt(this.at) - ZERO;
    if (digit >= 0 && digit <= 9) {
      const next = this.text.charCodeAt(this.at + 1);
      if (next === COMMA || next === CLOSE_BRACKET || next === CLOSE_BRACE) {
        this.at += 1;
        return digit;
      }
    }
    NUMBER.lastIndex = this.at;
    if (!NUMBER.test(this.text)) this.fail('a value is expected');
    const value = Number(this.text.slice(this.at, NUMBER.lastIndex));
    if (!Number.isFinite(value)) this.fail('the number is out of range');
    this.at = NUMBER.lastIndex;
    return value + 0; // -0 becomes 0
  }

  /** Whether the last string held an escape: without one it is storable. */
  get escaped(): boolean {
    return this.hadEscape;
  }

  /** The string token at the current quote, escapes resolved. */
  string(): string {
    this.hadEscape = false;
    let from = this.at + 1;
    let value = '';
    for (let i = from; i < this.text.length; i += 1) {
      const code = this.text.charCodeAt(i);
      if (code === QUOTE) {
        this.at = i + 1;
        return value + this.text.slice(from, i);
      }
      if (code < 0x20) {
        this.at = i;
        this.fail('a control character must be written as an escape');
      }
      if (code !== BACKSLASH) continue;
      this.hadEscape = true;
      value += this.text.slice(from, i) + this.escape(i);
      i += this.text.charAt(i + 1) === 'u' ? 5 : 1;
      from = i + 1;
    }
    this.at = this.text.length;
    return this.fail('a string is not closed');
  }

  fail(problem: string): never {
    throw new BoardError(
      'invalid_json',
      `The request body is not valid JSON: ${problem} at character ${this.at + 1}.`,
    );
  }

  private escape(at: number): string {
    const letter = this.text.charAt(at + 1);
    if (letter === 'u') {
      const digits = this.text.slice(at + 2, at + 6);
      if (HEX4.test(digits)) {
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
    }
    const character = ESCAPES[letter];
    if (character !== undefined) return character;
    this.at = at;
    return this.fail('an escape is not one of JSON');
  }
}

/** NUL or an unpaired surrogate: text PostgreSQL and UTF-8 cannot hold. */
export function isUnstorable(text: string): boolean {
  return text.includes('\0') || LONE_SURROGATE.test(text);
}
