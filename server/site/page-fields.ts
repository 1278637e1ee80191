import { z } from 'zod';
import { integer } from '../http/query-fields.js';

/** A number that may be left out. */
export const numberOrNull = integer().nullable().default(null);

/** A field of a form: browsers send what was not chosen as an empty text. */
export function formField<T extends z.ZodType>(field: T) {
  return z.preprocess(
    (values) => (isEmptyText(values) ? undefined : values),
    field,
  );
}

function isEmptyText(values: unknown): boolean {
  return Array.isArray(values) && values.length === 1 && values[0] === '';
}
