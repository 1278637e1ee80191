import { z } from 'zod';

const MAX_INTEGER = 999_999_999_999_999;

/** `(0|[1-9][0-9]{0,14})` in a path: an ID (spec/board.md §1.4). */
export const pathId = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,14})$/)
  .transform(Number)
  .pipe(z.int().min(0).max(MAX_INTEGER));

/** A UUID of any version in a path, lower-cased. */
export const pathGuid = z.guid().toLowerCase();
