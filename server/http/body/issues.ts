import type { z } from 'zod';

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
export function flatten(issue: Issue, prefix: PropertyKey[] = []): Issue[] {
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

export function isTooLong(issue: Issue): boolean {
  return issue.code === 'too_big' && issue.origin === 'string';
}

/** The path of the first unknown key this issue reports. */
export function unknownKey(issue: Issue): PropertyKey[] | null {
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
export function sentence(issue: Issue, body: unknown, field: string): string {
  const name = field === '' ? 'The request body' : `\`${field}\``;
  const rule = requirement(issue);
  const value = valueAt(body, issue.path);
  if (isTooLong(issue) && typeof value === 'string') {
    return `${name} has ${Array.from(value).length} code points and ${rule}; shorten it.`;
  }
  const missing = value === undefined && issue.path.length > 0;
  return missing ? `${name} is required and ${rule}.` : `${name} ${rule}.`;
}
