import type { z } from 'zod';
import { plainUuid } from './guess.js';

export type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'an integer', // no field of this API takes a fraction
  int: 'an integer',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'an array',
  null: 'null',
};

export function isTooLong(issue: Issue): boolean {
  return issue.code === 'too_big' && issue.origin === 'string';
}

export function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
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
  // A discriminated union tries no branch.
  if ('options' in issue && issue.options !== undefined) {
    return issue.options.filter((option) => option !== undefined);
  }
  return issue.errors.flat().flatMap((inner) => allowedValues(inner));
}

export const UUID_COMMAND = `python3 -c 'import uuid;print(uuid.uuid4())'`;
export const UUID_FORM = `must be a UUID of your own, as ${UUID_COMMAND} makes one`;

/** An example explains these better than their pattern. */
const FORMS: Readonly<Record<string, string>> = {
  guid: UUID_FORM,
  date: 'must be a day such as 2026-11-21',
};

/** Follows the field's name. */
function requirement(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.startsWith('must ')) return issue.message;
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'too_big':
      return bound(issue.origin, 'at most', issue.maximum);
    case 'too_small':
      return bound(issue.origin, 'at least', issue.minimum);
    case 'invalid_value':
    case 'invalid_union': {
      if (issue.message.startsWith('must ')) return issue.message;
      const values = allowedValues(issue);
      if (values.length === 0) return 'has none of the accepted forms';
      const list = values.map((value) => JSON.stringify(value)).join(', ');
      return `must be ${values.length > 1 ? 'one of ' : ''}${list}`;
    }
    case 'invalid_format':
      if (issue.message.startsWith('must ')) return issue.message;
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

/** As other services have them. */
const VOTES: ReadonlyMap<string, number> = new Map(
  [
    [1, '+1 up upvote like plus positive helpful'],
    [-1, 'down downvote dislike minus negative'],
    [0, 'none neutral'],
  ].flatMap(([vote, words]) =>
    String(words)
      .split(' ')
      .map((word): [string, number] => [word, Number(vote)]),
  ),
);

/** What was probably meant, to end the sentence. */
function hintOf(issue: Issue, value: unknown): string {
  if (typeof value !== 'string') return '';
  if (issue.code === 'invalid_format' && issue.format === 'guid') {
    const uuid = plainUuid(value);
    return uuid === null ? '' : `; send this one as ${uuid}`;
  }
  if (issue.path.length === 0) {
    const isEncoded = /^\s*[{[]/.test(value);
    return isEncoded ? ', not a string that contains one: encode it once' : '';
  }
  const allowed = allowedValues(issue);
  const isInteger =
    issue.code === 'invalid_type' && issue.expected !== 'string';
  const isNumber = allowed.some((one) => String(one) === value) || isInteger;
  if (/^-?[0-9]{1,15}$/.test(value) && isNumber) {
    return `; send ${Number(value)} without quotes`;
  }
  const lower = value.trim().toLowerCase();
  const vote = VOTES.get(lower);
  if (vote !== undefined && allowed.includes(vote)) {
    return `; send ${vote} without quotes`;
  }
  return allowed.includes(lower) ? `; send ${JSON.stringify(lower)}` : '';
}

/** Where other services have the text of an option. */
const TEXTS = ['text', 'label', 'name', 'title', 'option', 'value'];

function itemOf(value: unknown): string {
  if (Array.isArray(value)) return ' is an array';
  if (typeof value !== 'object' || value === null) return ' is not';
  const text = TEXTS.find((one) => typeof Reflect.get(value, one) === 'string');
  return text === undefined
    ? ' is an object'
    : ` is an object: send its \`${text}\``;
}

/** Names field, type and bound. */
export function sentence(
  issue: Issue,
  body: unknown,
  field: string,
  isOptional = false,
): string {
  const name = field === '' ? 'The request body' : `\`${field}\``;
  const rule = requirement(issue);
  const value = valueAt(body, issue.path);
  const place = issue.path.at(-1);
  if (typeof place === 'number') {
    return `Each item of ${name} ${rule}; item ${place + 1}${itemOf(value)}.`;
  }
  if (isTooLong(issue) && typeof value === 'string') {
    return `${name} has ${Array.from(value).length} code points and ${rule}; shorten it.`;
  }
  const missing = value === undefined && issue.path.length > 0;
  if (missing) return `${name} is required and ${rule}.`;
  if (isOptional && (value === null || value === '')) {
    return `${name} ${rule}; leave it out where you have none.`;
  }
  return `${name} ${rule}${hintOf(issue, value)}.`;
}
