import { z } from 'zod';
import { BoardError, type ErrorCode, type Fault } from '../../errors.js';
import type { Limits } from '../../limits.js';
import {
  type Issue,
  isTooLong,
  sentence,
  UUID_FORM,
  valueAt,
} from './fault-sentence.js';
import { guessNames } from './guess.js';

const BLANK = /^[\p{White_Space}\p{Cf}]*$/u;
const MAX_ID = 999_999_999_999_999;

/** More is `422 too_long`. */
export function codePoints(max: number, name?: string): z.ZodString {
  const text = z.string().max(max);
  return name === undefined ? text : text.describe(name);
}

/** Not only white space and format characters (spec/board.md §1.6). */
export function notBlank(text: z.ZodString): z.ZodString {
  return text.refine((value) => !BLANK.test(value), {
    error: 'must contain more than white space and invisible characters',
  });
}

/** Neither blank nor a placeholder. */
export function ownText(text: z.ZodString): z.ZodString {
  return notBlank(text).refine((value) => !isPlaceholder(value), {
    error: 'must be your own text, not the placeholder of an example',
  });
}

/** Of templates, guides and examples. */
const PLACEHOLDER =
  /^(?:YOUR_(?:TEXT|TITLE|ANSWER)|TITLE_OF_A_TOPIC|<(?:text|title|name|answer)>)$/;

/** Left in from a template or guide. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** Any version, lower-cased (spec/board.md §1.6). */
export const uuid = z.guid({ error: UUID_FORM }).toLowerCase();

/** 1..999999999999999. */
export const positiveId = z.int().min(1).max(MAX_ID);

/** One schema per limits: the checking one is the described one. */
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
 * Over several fields; also checked beside other faults, so values may have any
 * type.
 * @param detail a whole sentence
 */
export function rule(
  code: ErrorCode,
  field: string,
  detail: string,
): Parameters<z.ZodObject['refine']>[1] {
  return {
    path: [field],
    error: detail,
    params: { code },
    when: ({ value }) =>
      typeof value === 'object' && value !== null && !Array.isArray(value),
  };
}

/** More help nobody. */
const FAULTS_MAX = 20;

/**
 * Throws the first of: `unknown_field`, `invalid_input`, `too_long`, a `rule`'s
 * code (spec/board.md §1.6), with all in `faults` (§16.12). The rest is judged
 * as if unknown fields had the names they mean.
 */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const { issues: found } = result.error;
  const { faults, corrected } = correctNames(schema, body, OF_REQUEST, found);
  const again = faults.length === 0 ? result : schema.safeParse(corrected);
  const issues = (again.error?.issues ?? []).flatMap((one) => flatten(one));
  const of = (is: (issue: Issue) => boolean) =>
    issues.filter((issue) => unknownKeys(issue).length === 0 && is(issue));
  const rest = [
    ...of((issue) => !isTooLong(issue) && ruleOf(issue) === null),
    ...of(isTooLong),
    ...of((issue) => ruleOf(issue) !== null),
  ];
  const seen = new Set<string>();
  for (const issue of rest) {
    // More of a long list cost more than they help.
    if (faults.length >= FAULTS_MAX) break;
    const { error, field = '' } = kindOf(issue);
    if (seen.has(`${error} ${field}`)) continue;
    seen.add(`${error} ${field}`);
    faults.push(faultOf(issue, corrected, schema));
  }
  throw refusalOf(faults);
}

export function refusalOf(all: readonly Fault[]): BoardError {
  const few = all.slice(0, FAULTS_MAX);
  const isFirst = ({ error, field }: Fault, at: number) =>
    few.findIndex((one) => one.field === field && one.error === error) === at;
  const faults = few.filter(isFirst);
  const [first] = faults;
  if (first === undefined) throw new Error('a refusal without a fault');
  const { error, detail, field } = first;
  const extras = field === undefined ? {} : { field };
  return new BoardError(error, detail, { ...extras, faults });
}

function kindOf(issue: Issue): Omit<Fault, 'detail'> {
  const field = fieldName(issue.path);
  const error =
    ruleOf(issue) ?? (isTooLong(issue) ? 'too_long' : 'invalid_input');
  return { error, ...(field === '' ? {} : { field }) };
}

/** At a path. */
function isOptional(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  return schemasAt(schema, path.slice(0, -1)).some(
    (one) => one instanceof z.ZodObject && takes(one, path.at(-1), undefined),
  );
}

/** Drops what clients send instead of leaving it out (§16.18). */
export function withoutEmpty(schema: unknown, value: unknown): unknown {
  const [object] = schemasAt(schema, []).filter(
    (one) => one instanceof z.ZodObject,
  );
  if (object === undefined || !isObject(value)) return value;
  const kept = Object.entries(value)
    .map(
      ([name, it]) =>
        [
          name,
          withoutEmpty(
            Object.hasOwn(object.shape, name) ? object.shape[name] : undefined,
            it,
          ),
        ] as const,
    )
    .filter(
      ([name, it]) =>
        !isEmpty(it) ||
        takes(object, name, it) ||
        !takes(object, name, undefined),
    );
  return Object.fromEntries(kept);
}

/** Or be absent. */
function takes({ shape }: z.ZodObject, name: unknown, value: unknown): boolean {
  const field = String(name);
  if (!Object.hasOwn(shape, field)) return false;
  return (shape[field] as z.ZodType).safeParse(value).success;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return value === null || value === '';
  }
  return Object.keys(value).length === 0;
}

function faultOf(issue: Issue, body: unknown, schema: z.ZodType): Fault {
  const kind = kindOf(issue);
  const detail =
    ruleOf(issue) === null
      ? sentence(issue, body, kind.field ?? '', isOptional(schema, issue.path))
      : issue.message;
  return { ...kind, detail };
}

/** Of a failed `rule`, or null. */
function ruleOf(issue: Issue): ErrorCode | null {
  if (issue.code !== 'custom') return null;
  return (issue.params?.code as ErrorCode | undefined) ?? null;
}

/** Names of unknown fields. */
type Words = { kind: string; known: string };
const OF_REQUEST: Words = {
  kind: 'not a field of this request',
  known: 'Its fields',
};

/** Wrong names and their correction. */
type Names = {
  faults: Fault[];
  /** With the right names. */
  corrected: unknown;
  /** By wrong name. */
  renamed: ReadonlyMap<string, string>;
};

/** With the names that they may mean. */
export function correctNames(
  schema: z.ZodType,
  body: unknown,
  words: Words = OF_REQUEST,
  issues: readonly Issue[] = schema.safeParse(body).error?.issues ?? [],
): Names {
  const unknown = issues
    .flatMap((issue) => flatten(issue))
    .flatMap((issue) => unknownKeys(issue).map((name) => ({ issue, name })))
    .slice(0, FAULTS_MAX);
  const corrected = unknown.reduce(
    (copy, { issue }) => ownAt(copy, issue.path),
    body,
  );
  const renamed = new Map<string, string>();
  const faults = unknown.map(({ issue: { path }, name }): Fault => {
    const object = Object(valueAt(corrected, path));
    const { [name]: value } = object;
    delete object[name];
    const field = fieldName([...path, name]);
    const known = namesAt(schema, path);
    const inner = isObject(value) ? Object.entries(value) : [];
    if (inner.some(([one]) => known.includes(one))) {
      for (const [one, it] of inner) object[one] ??= it;
      const to = path.length === 0 ? 'at the top level' : 'in its place';
      const detail = `\`${field}\` is ${words.kind}; send the members of \`${field}\` ${to}.`;
      return { error: 'unknown_field', field, detail };
    }
    const guess = bestGuess(schema, path, object, name, value);
    const isFree = guess !== null && !Object.hasOwn(object, guess);
    if (isFree) {
      object[guess] = value;
      renamed.set(field, fieldName([...path, guess]));
    }
    const advice = isFree
      ? `send its value as \`${fieldName([...path, guess])}\``
      : guess !== null
        ? `leave it out: \`${guess}\` is there already`
        : `leave it out. ${words.known}: ${known.join(', ')}`;
    const detail = `\`${field}\` is ${words.kind}; ${advice}.`;
    return { error: 'unknown_field', field, detail };
  });
  return { faults, corrected, renamed };
}

/** Copies objects along the path; the rest is shared. */
function ownAt(value: unknown, [key, ...rest]: readonly PropertyKey[]) {
  const copy: object = Array.isArray(value)
    ? [...value]
    : Object.assign(Object.create(null), value);
  if (key !== undefined) {
    Reflect.set(copy, key, ownAt(Reflect.get(copy, key), rest));
  }
  return copy;
}

/** Prefers a name whose schema takes the value, then a missing one. */
function bestGuess(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  object: object,
  name: string,
  value: unknown,
): string | null {
  const guesses = guessNames(name, namesAt(schema, path));
  const isFree = (guess: string) => !Object.hasOwn(object, guess);
  const takes = guesses.filter((guess) =>
    schemasAt(schema, [...path, guess]).some(
      (one) => one.safeParse(value).success,
    ),
  );
  return (
    takes.find(isFree) ?? takes[0] ?? guesses.find(isFree) ?? guesses[0] ?? null
  );
}

/** At a path. */
function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const names = schemasAt(schema, path).flatMap((one) =>
    one instanceof z.ZodObject ? Object.keys(one.shape) : [],
  );
  return [...new Set(names)];
}

/** One per form of the value. */
function schemasAt(schema: unknown, path: readonly PropertyKey[]): z.ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return schemasAt(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => schemasAt(option, path));
  }
  const [key, ...rest] = path;
  if (key === undefined) return schema instanceof z.ZodType ? [schema] : [];
  if (schema instanceof z.ZodArray) return schemasAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return schemasAt(schema.shape[String(key)], rest);
}

const MAX_CODE_POINTS = 128;
const UNPRINTABLE = /[\p{Surrogate}\p{Cc}]/gu;

/** Without array positions (`poll.options`, spec/board.md §15). */
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

/** A failed union is replaced by the issues of its best branch. */
function flatten(issue: Issue, prefix: PropertyKey[] = []): Issue[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // A refusal of the value as a whole says nothing about members.
    const [best] = issue.errors
      .filter((all) => all.some((it) => it.path.length > 0 || !isPlain(it)))
      .sort((a, b) => a.length - b.length);
    if (best !== undefined) {
      return best.flatMap((inner) => flatten(inner, path));
    }
  }
  return [{ ...issue, path }];
}

/** Of the value as a whole. */
function isPlain(issue: Issue): boolean {
  return issue.code === 'invalid_type' || issue.code === 'invalid_value';
}

function unknownKeys(issue: Issue): readonly string[] {
  return issue.code === 'unrecognized_keys' ? issue.keys : [];
}
