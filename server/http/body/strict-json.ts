import { isUtf8 } from 'node:buffer';
import { BoardError } from '../../errors.js';
import { fieldName } from './validate.js';

const MAX_DEPTH = 8;
/** Per object and array (spec/board.md §1.6). */
const MAX_MEMBERS = 64;
const MAX_ELEMENTS = 256;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const BOM = '\ufeff';
const ZERO = 0x30;
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
 * The only parser of request bodies (spec/board.md §1.6; spec/operators.md §R0
 * 9-10). MUST get the raw bytes. Objects have no prototype: `__proto__` is an
 * ordinary key.
 * @throws BoardError `invalid_json`: not UTF-8, BOM, syntax, duplicate keys,
 *   numbers out of range, more than eight levels, 64 members or `maxElements`;
 *   `invalid_unicode` with `field`: NUL or unpaired surrogate
 */
export function parseStrictJson(
  bytes: Uint8Array,
  maxElements = MAX_ELEMENTS,
): unknown {
  if (!isUtf8(bytes)) {
    throw new BoardError('invalid_json', 'The request body is not UTF-8.');
  }
  const text = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    bytes.byteLength,
  ).toString('utf8');
  if (text.startsWith(BOM)) {
    throw new BoardError(
      'invalid_json',
      'The request body starts with a byte order mark; leave it out.',
    );
  }
  if (text.trimStart().startsWith('```')) {
    throw new BoardError(
      'invalid_json',
      'The request body starts with a Markdown fence (```); send only what is inside.',
    );
  }
  return new StrictParser(text, maxElements).document();
}

class StrictParser {
  private readonly scanner: JsonScanner;
  private readonly path: string[] = [];
  private fault: BoardError | null = null;

  constructor(
    text: string,
    private readonly maxElements: number,
  ) {
    this.scanner = new JsonScanner(text);
  }

  document(): unknown {
    const value = this.value(1);
    if (!Number.isNaN(this.scanner.peek()))
      this.scanner.fail('nothing more is expected');
    if (this.fault !== null) throw this.fault;
    return value;
  }

  private value(depth: number): unknown {
    switch (this.scanner.peek()) {
      case OPEN_BRACE:
        return this.object(this.deeper(depth));
      case OPEN_BRACKET:
        return this.array(this.deeper(depth));
      case QUOTE:
        return this.text(this.scanner.string());
      case 0x74: // t
        return this.scanner.word('true', true);
      case 0x66: // f
        return this.scanner.word('false', false);
      case 0x6e: // n
        return this.scanner.word('null', null);
      default:
        return this.scanner.number();
    }
  }

  private deeper(depth: number): number {
    if (depth > MAX_DEPTH) {
      this.scanner.fail(`more than ${MAX_DEPTH} levels are nested`);
    }
    this.scanner.skip();
    return depth + 1;
  }

  private object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = Object.create(null);
    if (this.ends(CLOSE_BRACE)) return object;
    let members = 0;
    do {
      members += 1;
      if (members > MAX_MEMBERS) {
        this.scanner.fail(`an object has more than ${MAX_MEMBERS} members`);
      }
      if (this.scanner.peek() !== QUOTE)
        this.scanner.fail('a key in double quotes is expected');
      const key = this.scanner.string();
      if (object[key] !== undefined) this.scanner.fail('a key is repeated');
      this.path.push(key);
      this.text(key);
      if (!this.ends(COLON)) this.scanner.fail('":" is expected');
      object[key] = this.value(depth);
      this.path.pop();
    } while (this.continues(CLOSE_BRACE));
    return object;
  }

  private array(depth: number): unknown[] {
    const array: unknown[] = [];
    if (this.ends(CLOSE_BRACKET)) return array;
    do {
      if (array.length === this.maxElements) {
        this.scanner.fail(
          `an array has more than ${this.maxElements} elements`,
        );
      }
      array.push(this.value(depth));
    } while (this.continues(CLOSE_BRACKET));
    return array;
  }

  private ends(close: number): boolean {
    if (this.scanner.peek() !== close) return false;
    this.scanner.skip();
    return true;
  }

  private continues(close: number): boolean {
    if (this.ends(close)) return false;
    if (!this.ends(COMMA)) this.scanner.fail('"," or the end is expected');
    return true;
  }

  /** A later syntax error takes precedence over bad text. */
  private text(text: string): string {
    if (
      this.scanner.escaped &&
      this.fault === null &&
      // PostgreSQL and UTF-8 cannot store it.
      (text.includes('\0') || LONE_SURROGATE.test(text))
    ) {
      const field = fieldName(this.path);
      this.fault = new BoardError(
        'invalid_unicode',
        `${field === '' ? 'The body' : `\`${field}\``} contains NUL or an unpaired surrogate; send well-formed Unicode without NUL.`,
        field === '' ? {} : { field },
      );
    }
    return text;
  }
}

/** RFC 8259: no backtracking, no recursion (spec/board.md §1.6). */
class JsonScanner {
  private at = 0;
  private hadEscape = false;

  constructor(private readonly text: string) {}

  /** Its code, not consumed; NaN at the end. */
  peek(): number {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        return code;
      }
      this.at += 1;
    }
  }

  /** After `peek`. */
  skip(): void {
    this.at += 1;
  }

  word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail('a value is expected');
    this.at += word.length;
    return value;
  }

  number(): number {
    // Fast path: single digits can be sent in masses.
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

  /** A string without escapes is storable. */
  get escaped(): boolean {
    return this.hadEscape;
  }

  /** At its opening quote. */
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
