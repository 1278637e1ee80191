import type { z } from 'zod';
import type { Limits } from '../../limits.js';

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
