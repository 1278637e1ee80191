import { z } from 'zod';
import { BoardError } from '../../errors.js';
import type { Limits } from '../../limits.js';

const BLANK = /^[\p{White_Space}\p{Cf}]*$/u;
const MAX_ID = 999_999_999_999_999;

/** A string of at most `max` code points; more is `422 too_long`. */
export function codePoints(max: number, name?: string): z.ZodString {
  const text = z.string().max(max);
  return name === undefined ? text : text.describe(name);
}

/**
 * Refuses nothing but white space and format characters (spec/board.md §1.6).
 */
export function notBlank(text: z.ZodString): z.ZodString {
  return text.refine((value) => !BLANK.test(value), {
    error: 'must hold more than white space and invisible characters',
  });
}

/** 8-4-4-4-12 hex digits of any version, lower-cased (spec/board.md §1.6). */
export const uuid = z.guid().toLowerCase();

/** An ID as bodies carry it: 1..999999999999999. */
export const positiveId = z.int().min(1).max(MAX_ID);

/**
 * Makes a schema once for each set of limits. The schema that checks a body is
 * then the one that the machine description names.
 */
export function byLimits<T extends z.ZodType>(
  make: (limits: Limits) => T,
): (limits: Limits) => T {
  const made = new WeakMap<Limits, T>();
  return (limits) => {
    const known = made.get(limits);
    if (known !== undefined) return known;
    const schema = make(limits);
    made.set(limits, schema);
    return schema;
  };
}

/**
 * Gives a parsed body its shape or throws the first of: `unknown_field`,
 * `invalid_input`, `too_long` (spec/board.md §1.6).
 */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap((issue) => flatten(issue));
  for (const issue of issues) {
    const path = unknownKey(issue);
    if (path === null) continue;
    const field = fieldName(path);
    throw new BoardError(
      'unknown_field',
      `\`${field}\` is not a field of this request; leave it out.`,
      { field },
    );
  }
  const issue = issues.find((each) => !isTooLong(each)) ?? issues[0];
  if (issue === undefined) throw result.error;
  const field = fieldName(issue.path);
  throw new BoardError(
    isTooLong(issue) ? 'too_long' : 'invalid_input',
    sentence(issue, body, field),
    field === '' ? {} : { field },
  );
}

const MAX_CODE_POINTS = 128;
const UNPRINTABLE = /[\p{Surrogate}\p{Cc}]/gu;

/**
 * The `field` of an error body: keys joined by dots, array positions left out
 * (`poll.options`, spec/board.md §15), always well-formed and never long.
 */
export function fieldName(path: readonly PropertyKey[]): string {
  const name = path
    .filter((part) => typeof part !== 'number')
    .map((part) => String(part))
    .join('.');
  const short = Array.from(name.slice(0, MAX_CODE_POINTS * 2))
    .slice(0, MAX_CODE_POINTS)
    .join('');
  return short.replace(UNPRINTABLE, '\ufffd');
}

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'an integer', // no field of this API takes a fraction
  int: 'an integer',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'an array',
  null: 'null',
};

/** Replaces a failed union by the issues of the branch that fits best. */
function flatten(issue: Issue, prefix: PropertyKey[] = []): Issue[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const best = issue.errors.reduce((a, b) => (b.length < a.length ? b : a));
    if (best.some((inner) => inner.path.length > 0 || !isPlain(inner))) {
      return best.flatMap((inner) => flatten(inner, path));
    }
  }
  return [{ ...issue, path }];
}

/** A mismatch of the value as a whole: it says nothing about a branch. */
function isPlain(issue: Issue): boolean {
  return issue.code === 'invalid_type' || issue.code === 'invalid_value';
}

function isTooLong(issue: Issue): boolean {
  return issue.code === 'too_big' && issue.origin === 'string';
}

/** The path of the first unknown key this issue reports. */
function unknownKey(issue: Issue): PropertyKey[] | null {
  if (issue.code !== 'unrecognized_keys') return null;
  return [...issue.path, issue.keys[0] ?? ''];
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : undefined,
    body,
  );
}

const UNITS: Readonly<Record<string, string>> = {
  string: 'code points',
  array: 'items',
};

function bound(origin: string, words: string, limit: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined
    ? `must be ${words} ${limit}`
    : `must have ${words} ${limit} ${unit}`;
}

function allowedValues(issue: Issue): readonly unknown[] {
  if (issue.code === 'invalid_value') return issue.values;
  if (issue.code !== 'invalid_union') return [];
  // A union told apart by one member has tried no branch.
  if ('options' in issue && issue.options !== undefined) {
    return issue.options.filter((option) => option !== undefined);
  }
  return issue.errors.flat().flatMap((inner) => allowedValues(inner));
}

/** Formats that an example tells better than their pattern. */
const FORMS: Readonly<Record<string, string>> = {
  guid: 'must be a UUID such as 123e4567-e89b-12d3-a456-426614174000',
  date: 'must be a day such as 2026-11-21',
};

/** What the value must be, to follow its name. */
function requirement(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'too_big':
      return bound(issue.origin, 'at most', issue.maximum);
    case 'too_small':
      return bound(issue.origin, 'at least', issue.minimum);
    case 'invalid_value':
    case 'invalid_union': {
      const values = allowedValues(issue);
      if (values.length === 0) return 'has none of the accepted forms';
      const list = values.map((value) => JSON.stringify(value)).join(', ');
      return `must be ${values.length > 1 ? 'one of ' : ''}${list}`;
    }
    case 'invalid_format':
      return (
        FORMS[issue.format] ??
        `must have the form ${issue.pattern ?? issue.format}`
      );
    default:
      return issue.message.startsWith('must ')
        ? issue.message
        : `is not acceptable: ${issue.message}`;
  }
}

/** One sentence for people and agents: the field, its type and its bound. */
function sentence(issue: Issue, body: unknown, field: string): string {
  const name = field === '' ? 'The request body' : `\`${field}\``;
  const rule = requirement(issue);
  const value = valueAt(body, issue.path);
  if (isTooLong(issue) && typeof value === 'string') {
    return `${name} has ${Array.from(value).length} code points and ${rule}; shorten it.`;
  }
  const missing = value === undefined && issue.path.length > 0;
  return missing ? `${name} is required and ${rule}.` : `${name} ${rule}.`;
}
