import { isUtf8 } from 'node:buffer';
import { BoardError } from '../errors.js';

const INTEGER = /^(?:0|[1-9][0-9]{0,14})$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PERCENT = 0x25;
const HEX2 = /^[0-9a-f]{2}$/i;
const MAX_INTEGER = 999_999_999_999_999;

type IntegerRule<D> = { min?: number; max?: number; default: D };

function invalid(field: string, detail: string): BoardError {
  return new BoardError('invalid_input', detail, { field });
}

/** Percent-decodes; a `%` without two hex digits stands for itself. */
export function decodedBytes(encoded: string): Buffer {
  // Node hands the request line over as latin1: one character is one byte.
  const raw = Buffer.from(encoded.replaceAll('+', ' '), 'latin1');
  let length = 0;
  for (let i = 0; i < raw.length; i += 1) {
    let byte = raw[i] ?? 0;
    if (byte === PERCENT) {
      const digits = raw.toString('latin1', i + 1, i + 3);
      if (HEX2.test(digits)) {
        byte = Number.parseInt(digits, 16);
        i += 2;
      }
    }
    raw[length] = byte;
    length += 1;
  }
  return raw.subarray(0, length);
}

/** The pairs of a raw query string, values still encoded (WHATWG URL 5.1). */
function pairsOf(url: string): Map<string, string[]> {
  const pairs = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start < 0) return pairs;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decodedBytes(cut < 0 ? pair : pair.slice(0, cut)).toString(
      'utf8',
    );
    const value = cut < 0 ? '' : pair.slice(cut + 1);
    const values = pairs.get(name);
    if (values === undefined) pairs.set(name, [value]);
    else values.push(value);
  }
  return pairs;
}

/** The values of each name of a query, still encoded. */
export function rawQuery(url: string): Record<string, string[]> {
  return Object.assign(Object.create(null), Object.fromEntries(pairsOf(url)));
}

/**
 * The parameters of one read, each checked when it is asked for: unknown ones
 * are ignored, nothing is clamped (spec/board.md §1.4).
 */
export class QueryReader {
  private readonly pairs: Map<string, string[]>;

  constructor(url: string) {
    this.pairs = pairsOf(url);
  }

  has(name: string): boolean {
    return this.pairs.has(name);
  }

  private bytes(name: string): Buffer | undefined {
    const [value, ...more] = this.pairs.get(name) ?? [];
    if (value === undefined) return undefined;
    if (more.length > 0) {
      throw invalid(name, `\`${name}\` is given twice; send it once.`);
    }
    return decodedBytes(value);
  }

  /** Of one among ASCII values: other bytes make it none of them. */
  private token(name: string): string | undefined {
    return this.bytes(name)?.toString('latin1');
  }

  string(name: string): string | undefined {
    const bytes = this.bytes(name);
    if (bytes === undefined) return undefined;
    if (!isUtf8(bytes) || bytes.includes(0)) {
      throw new BoardError(
        'invalid_unicode',
        `\`${name}\` must be percent-encoded UTF-8 without NUL.`,
        { field: name },
      );
    }
    return bytes.toString('utf8');
  }

  integer<D>(name: string, rule: IntegerRule<D>): number | D {
    const text = this.token(name);
    if (text === undefined) return rule.default;
    const { min = 0, max = MAX_INTEGER } = rule;
    const value = pathInteger(text);
    if (value !== null && value >= min && value <= max) return value;
    throw invalid(
      name,
      `\`${name}\` must be an integer from ${min} to ${max}, in plain digits without sign or leading zero.`,
    );
  }

  flag(name: string): boolean {
    const text = this.token(name);
    if (text === undefined) return false;
    if (text === '1') return true;
    throw invalid(name, `\`${name}\` takes only the value 1; or leave it out.`);
  }

  oneOf<const T extends string>(
    name: string,
    values: readonly T[],
  ): T | undefined {
    const text = this.token(name);
    if (text === undefined) return undefined;
    const value = values.find((allowed) => allowed === text);
    if (value !== undefined) return value;
    throw invalid(name, `\`${name}\` must be one of: ${values.join(', ')}.`);
  }

  /** Every parameter, first values only, undecodable bytes replaced. */
  entries(): [string, string][] {
    return [...this.pairs].map(([name, values]) => [
      name,
      decodedBytes(values[0] ?? '').toString('utf8'),
    ]);
  }
}

/** Reads `originalUrl`: a router's mount path takes nothing away from it. */
export function readQuery(req: { originalUrl: string }): QueryReader {
  return new QueryReader(req.originalUrl);
}

type QueryValue = string | number | boolean | null | undefined;

/**
 * `?a=1&b=2` in the order given, for `next` links; absent values and `false`
 * are left out, `true` is 1, and nothing at all is the empty string.
 */
export function canonical(
  params: Readonly<Record<string, QueryValue>>,
): string {
  const pairs = Object.entries(params).flatMap(([name, value]) => {
    if (value === undefined || value === null || value === false) return [];
    const text = value === true ? '1' : String(value);
    return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** What Express 5 types a path parameter as. */
type PathPart = string | readonly string[] | undefined;

/** A path ID; `null` is the 404 of its resource. */
export function pathInteger(text: PathPart): number | null {
  return typeof text === 'string' && INTEGER.test(text) ? Number(text) : null;
}

/** A path UUID of any version, lower-cased; `null` is a 404. */
export function pathUuid(text: PathPart): string | null {
  return typeof text === 'string' && UUID.test(text)
    ? text.toLowerCase()
    : null;
}
