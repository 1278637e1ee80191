import { z } from 'zod';
import { naturalNumber } from '../../../server/http/openapi/scalars.js';
import { integer } from '../../../server/http/query-fields.js';

/** A query parameter that the log cannot answer without. */
export function requiredInteger() {
  return integer()
    .optional()
    .transform((value, ctx): number => {
      if (value !== undefined) return value;
      ctx.issues.push({
        code: 'custom',
        input: value,
        message: 'is required.',
      });
      return z.NEVER;
    })
    .pipe(naturalNumber);
}
