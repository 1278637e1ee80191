import { z } from 'zod';
import { BoardError } from '../../errors.js';
import { fieldName } from './field-name.js';
import { flatten, isTooLong, sentence, unknownKey } from './issues.js';

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
