import fc from 'fast-check';
import type { Json } from '../../../test/support/described.js';
import { bodyOf, type Family, requestOf } from './parts.js';

/** Members that no request has, some of them of every object's prototype. */
const UNKNOWN = [
  ...['rating', '', 'constructor', 'toString', 'hasOwnProperty', 'prototype'],
];

/** Each field with a wrong value or missing, and one that nobody knows. */
export const fieldFaults: Family = (source, described, valid) => {
  const schema = bodyOf(described);
  if (schema === null) return [];
  const { properties = {}, required = [] } = source.values.whole(schema);
  const fault = (name: string, by: string, value: unknown) =>
    valid.map((parts) => {
      // `undefined` is left out of JSON.
      const body = { ...parts.body, [name]: value };
      const kind = `${name}: ${by}`;
      return requestOf(described, { ...parts, body }, kind, { field: name });
    });
  const wrong = Object.entries(properties as Json).flatMap(([name, inner]) =>
    source.values
      .refused(inner as Json)
      .map(({ value, by }) => fault(name, by, value)),
  );
  const missing = (required as string[]).map((name) =>
    fault(name, 'missing', undefined),
  );
  const unknown = UNKNOWN.map((name) => fault(name, 'unknown', 1));
  return [...wrong, ...missing, fc.oneof(...unknown)];
};
