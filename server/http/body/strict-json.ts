import { isUtf8 } from 'node:buffer';
import { BoardError } from '../../errors.js';
import { fieldName } from './field-name.js';
import { isUnstorable, JsonScanner } from './json-scanner.js';

const MAX_DEPTH = 8;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const BOM = '\ufeff';

/**
 * The only JSON parser of request bodies (spec/board.md §1.6; spec/operators.md
 * §R0 9-10).
 *
 * MUST be given the raw bytes. Throws `invalid_json` for bytes that are not
 * UTF-8, a BOM, a syntax error, a duplicate key, a number out of range or
 * more than eight levels; `invalid_unicode` with `field` for NUL or an unpaired
 * surrogate. Objects have no prototype: `__proto__` is an ordinary own key.
 * What the top-level value is, is the schema's business.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
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
  return new StrictParser(text).document();
}

class StrictParser {
  private readonly scanner: JsonScanner;
  private readonly path: string[] = [];
  private fault: BoardError | null = null;

  constructor(text: string) {
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
    do {
      if (this.scanner.peek() !== QUOTE) this.scanner.fail('a key is expected');
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
    do array.push(this.value(depth));
    while (this.continues(CLOSE_BRACKET));
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

  /** Remembers the first bad text; a syntax error further on goes before it. */
  private text(text: string): string {
    if (this.scanner.escaped && this.fault === null && isUnstorable(text)) {
      const field = fieldName(this.path);
      this.fault = new BoardError(
        'invalid_unicode',
        `${field === '' ? 'The body' : `\`${field}\``} holds NUL or an unpaired surrogate; send well-formed Unicode without NUL.`,
        field === '' ? {} : { field },
      );
    }
    return text;
  }
}
