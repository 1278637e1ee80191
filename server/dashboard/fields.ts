import { z } from 'zod';
import { EXPLANATION_MAX } from '../../protocol/moderation.js';
import { ROOMS } from '../../protocol/room.js';

const BLANK = /^[\p{White_Space}\p{Cf}]*$/u;
const BROKEN = /[\p{Surrogate}\0]/u;
const PLACEHOLDER = /\{\{\s*[\p{L}\p{N}_. -]{1,60}\s*\}\}/u;
const MAX_ID = 999_999_999_999_999;
const SUBJECT =
  /^(?:(?:message|poll):[1-9][0-9]{0,14}|card:[1-9][0-9]{0,14}-[1-9][0-9]{0,2}|mirrored:[1-9][0-9]{0,14}@[a-z0-9.:-]{1,110})$/;

function wellFormed(max: number): z.ZodString {
  return z
    .string()
    .max(max)
    .refine((text) => !BROKEN.test(text), {
      error: 'must be well-formed Unicode without NUL',
    });
}

/** More than white space and invisible marks. */
export function said(max: number): z.ZodString {
  return wellFormed(max).refine((text) => !BLANK.test(text), {
    error: 'must contain more than white space and invisible characters',
  });
}

/** Public; every placeholder is filled. */
export const explanation = filled(said(EXPLANATION_MAX));

/** Plain text for the reporter (spec/operators.md §2.1). */
export const reporterAnswer = filled(wellFormed(500))
  .optional()
  .describe('For the reporter, at the address of the report.');

function filled(text: z.ZodString): z.ZodString {
  return text.refine((value) => !PLACEHOLDER.test(value), {
    error: 'must have every {{placeholder}} of its template filled',
  });
}

export const id = z.int().min(1).max(MAX_ID);
export const uuid = z.guid().toLowerCase();
/** Exclusive upper ID. */
export const before = id.optional();
export const limit = z.int().min(1).max(100).default(50);
export const room = z.enum(ROOMS).optional();
/** In ms. */
export const time = z.int().min(0).max(MAX_ID);
export const subject = z
  .string()
  .regex(SUBJECT, 'must name one, as message:12, card:3-1 or poll:4')
  .describe(
    '`message:12`, `card:3-1`, `poll:4` or `mirrored:12@board.example`.',
  );
export const requestIds = z.array(uuid).max(1000);

export const seenAt = time.optional().describe('Its last change, as seen.');

/** For pages sorted by more than an ID. */
export const nextOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).optional().describe('`next` of the page before.');
