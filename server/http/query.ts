import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { BoardError } from '../errors.js';
import { meantNames } from './body/guess.js';
import { fieldName, refusalOf } from './body/validate.js';
import { countCodePoints } from './code-points.js';

const INTEGER = /^(?:0|[1-9][0-9]{0,14})$/;
const MAX_INTEGER = 999_999_999_999_999;
const PERCENT = 0x25;
const HEX2 = /^[0-9a-f]{2}$/i;

/** A `%` without two hex digits stays. */
function decodedBytes(encoded: string): Buffer {
  // Node gives the request line as latin1: one character is one byte.
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

/** Still encoded (WHATWG URL 5.1). */
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

function rawQuery(url: string): Record<string, string[]> {
  return Object.assign(Object.create(null), Object.fromEntries(pairsOf(url)));
}

/** Each once; undecodable bytes are replaced. */
export function parameterNames(url: string): string[] {
  return [...pairsOf(url).keys()];
}

/** First values only; undecodable bytes are replaced. */
export function queryEntries(url: string): [string, string][] {
  return [...pairsOf(url)].map(([name, values]) => [
    name,
    decodedBytes(values[0] ?? '').toString('utf8'),
  ]);
}

/**
 * WHATWG URL 5.1; CRLF of browsers becomes LF.
 * @throws BoardError `invalid_unicode`; `invalid_input` for a repeated field
 */
export function formFields(body: Uint8Array): Record<string, string> {
  const pairs = pairsOf(`?${Buffer.from(body).toString('latin1')}`);
  const fields = [...pairs].map(([name, values]): [string, string] => {
    const [value = '', ...more] = values;
    const bytes = decodedBytes(value);
    if (!isUtf8(bytes) || bytes.includes(0)) {
      throw refused('invalid_unicode', name, 'must be UTF-8 without NUL.');
    }
    if (more.length > 0) {
      throw refused('invalid_input', name, 'is given twice; send it once.');
    }
    return [name, bytes.toString('utf8').replaceAll('\r\n', '\n')];
  });
  return Object.assign(Object.create(null), Object.fromEntries(fields));
}

function refused(
  code: 'invalid_input' | 'invalid_unicode',
  name: string,
  why: string,
): BoardError {
  const field = fieldName([name]);
  return new BoardError(code, `\`${field}\` ${why}`, { field });
}

type QueryValue = string | number | boolean | null | undefined;

/** `?a=1&b=2`; absent and `false` values are left out, `true` is 1. */
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

export type Values<Q extends z.ZodRawShape> = z.output<z.ZodObject<Q>>;

/** Follows the field's name in the sentence. */
type Problem = { code?: 'invalid_input' | 'invalid_unicode'; message: string };

/** Reads encoded values. Non-UTF-8 never matches ASCII values. */
function field<T>(
  out: z.ZodType<T>,
  read: (bytes: Buffer) => NoInfer<T> | Problem,
) {
  return z
    .custom<readonly string[] | undefined>()
    .transform((values, ctx): unknown => {
      const [value = '', ...more] = values ?? []; // left out, but required
      const result =
        more.length > 0
          ? { message: 'is given twice; send it once.' }
          : read(decodedBytes(value));
      if (!isProblem(result)) return result;
      const { code = 'invalid_input', message } = result;
      ctx.issues.push({
        code: 'custom',
        input: values,
        message,
        params: { code },
      });
      return z.NEVER;
    })
    .pipe(out as z.ZodType<T, unknown>);
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'message' in value;
}

/** `(0|[1-9][0-9]{0,14})` within bounds; nothing is clamped. */
export function integer({ min = 0, max = MAX_INTEGER, as = '' } = {}) {
  return field(z.int().min(min).max(max), (bytes) => {
    const text = bytes.toString('latin1');
    const value = INTEGER.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    return {
      message: `must be an integer from ${min} to ${max}, in plain digits without sign or leading zero${as}.`,
    };
  });
}

const FLAG = z.literal('1');

/** Takes only 1. */
export function flag() {
  return field(FLAG, (bytes) =>
    bytes.toString('latin1') === '1'
      ? '1'
      : { message: 'takes only the value 1; or leave it out.' },
  );
}

export function oneOf<const T extends readonly [string, ...string[]]>(
  values: T,
) {
  return field(z.enum(values), (bytes) => {
    const text = bytes.toString('latin1');
    return (
      values.find((value) => value === text) ?? {
        message: `must be one of: ${values.join(', ')}.`,
      }
    );
  });
}

/** UTF-8 without NUL, in code points; `message` states the bounds. */
export function text(bounds?: { min: number; max: number; message: string }) {
  const out = z.string();
  const {
    min = 0,
    max = Number.POSITIVE_INFINITY,
    message = '',
  } = bounds ?? {};
  const described =
    bounds === undefined ? out : out.meta({ minLength: min, maxLength: max });
  return field(described, (bytes) => {
    if (!isUtf8(bytes) || bytes.includes(0)) {
      return {
        code: 'invalid_unicode',
        message: 'must be percent-encoded UTF-8 without NUL.',
      };
    }
    const value = bytes.toString('utf8');
    const length = countCodePoints(value);
    return length < min || length > max ? { message } : value;
  });
}

/** Newer than 0.2.0: an unusable value is ignored and named (§1.4). */
export function lenient<T extends z.ZodType>(parameter: T) {
  return parameter.optional().catch(undefined);
}

/** Distinct ones, 1 to `max`, between commas; a repeated one counts once. */
export function list(item: RegExp, max: number, what: string) {
  const distinct = (value: string) => [
    ...new Set(value.toLowerCase().split(',')),
  ];
  const isList = (value: string) =>
    distinct(value).length <= max &&
    distinct(value).every((one) => item.test(one));
  const message = `must be 1 to ${max} ${what}`;
  return field(z.string().refine(isList, message), (bytes) => {
    const value = bytes.toString('latin1');
    return isList(value)
      ? distinct(value).join(',')
      : { message: `${message}.` };
  });
}

/** Of {@link list}. */
export const IDS = INTEGER;
export const UUIDS = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const AGENT_ID = /^a1[a-z2-7]{32}$/;
export const AN_AGENT_ID =
  'must be an agent_id of 34 characters: texts show the first 16, a message as JSON all';

export function key() {
  return field(z.string().regex(AGENT_ID, AN_AGENT_ID), (bytes) => {
    const value = bytes.toString('latin1');
    return AGENT_ID.test(value) ? value : { message: `${AN_AGENT_ID}.` };
  });
}

const ISO_8601 =
  /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/i;

/** ISO 8601, UTC without a zone; as `Date` writes it. */
export function moment() {
  return field(z.string().meta({ format: 'date-time' }), (bytes) => {
    // A plus that was not encoded is a blank.
    const text = bytes.toString('latin1').replace(' ', '+');
    const isLocal = /T/i.test(text) && !/(?:Z|[+-]\d\d:\d\d)$/i.test(text);
    const at = ISO_8601.test(text)
      ? Date.parse(isLocal ? `${text}Z` : text)
      : Number.NaN;
    return Number.isNaN(at)
      ? { message: 'must be a time such as 2026-09-16T23:34:25Z.' }
      : new Date(at).toISOString();
  });
}

/** As JSON: integer, text, or true for a flag. Optionality stays. */
export function valueSchema(parameter: z.ZodType): z.ZodType {
  if (parameter instanceof z.ZodCatch) {
    return valueSchema(parameter.unwrap() as z.ZodType);
  }
  if (parameter instanceof z.ZodOptional || parameter instanceof z.ZodDefault) {
    return valueSchema(parameter.unwrap() as z.ZodType).optional();
  }
  if (!(parameter instanceof z.ZodPipe)) return parameter;
  const value = parameter.out as z.ZodType;
  return value === FLAG ? z.boolean() : value;
}

/**
 * Unknown ones are ignored.
 * @throws BoardError `invalid_input` or `invalid_unicode` of the first wrong
 *   field by schema order (spec §1.4); all in `faults`
 */
export function parseQuery<Q extends z.ZodRawShape>(
  schema: z.ZodObject<Q>,
  url: string,
): Values<Q> {
  const given = rawQuery(url);
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const meant = meantNames(Object.keys(given), Object.keys(schema.shape));
  throw refusalOf(
    result.error.issues.map((issue) => {
      const field = String(issue.path[0]);
      const other = meant.get(field);
      if (other !== undefined) {
        const detail = `\`${field}\` is missing; send the value of \`${fieldName([other])}\` as \`${field}\`.`;
        return { error: 'invalid_input', field, detail };
      }
      const params = issue.code === 'custom' ? issue.params : undefined;
      const isUnicode = params?.code === 'invalid_unicode';
      return {
        error: isUnicode ? 'invalid_unicode' : 'invalid_input',
        field,
        detail: `\`${field}\` ${issue.message}`,
      };
    }),
  );
}

/** `(0|[1-9][0-9]{0,14})` (spec/board.md §1.4) */
export const pathId = z
  .string()
  .regex(INTEGER)
  .transform(Number)
  .pipe(z.int().min(0).max(MAX_INTEGER));

/** Any version, lower-cased. */
export const pathGuid = z.guid().toLowerCase();

type PathPart = string | readonly string[] | undefined;

/** Null: 404. */
export function pathInteger(text: PathPart): number | null {
  return typeof text === 'string' && INTEGER.test(text) ? Number(text) : null;
}
