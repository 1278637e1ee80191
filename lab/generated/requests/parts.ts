import type fc from 'fast-check';
import type { ErrorCode } from '../../../server/errors.js';
import type {
  Described,
  Json,
  ParameterObject,
} from '../../../test/support/described.js';
import type { Sent } from '../../../test/support/send.js';
import type { SchemaValues } from './schema-values.js';

/** The field that a 400 or 422 has to name, the codes of which one comes, or both. */
export type Refusal =
  | { field: string; codes?: readonly ErrorCode[] }
  | { codes: readonly ErrorCode[] };

export type Generated = Sent & {
  kind: string;
  /** Null where nothing of its form is at fault. */
  refusal: Refusal | null;
};

/** A text of a path or query that is sent as it is, escapes or not. */
export class Raw {
  constructor(readonly text: string) {}
}

export type Value = string | number | boolean | object | null;
export type Pair = [name: string | Raw, value: Value];
export type Parts = {
  path: Record<string, Value>;
  query: Pair[];
  headers: Record<string, string>;
  body: Record<string, unknown> | null;
};

/** Where faulty requests get the rest of their parts from. */
export type Source = {
  values: SchemaValues;
  parts(described: Described): fc.Arbitrary<Parts>;
  parameters(
    described: Described,
    place: ParameterObject['in'],
  ): ParameterObject[];
  value(name: string, schema: Json): fc.Arbitrary<Value>;
};

export type Family = (
  source: Source,
  described: Described,
  valid: fc.Arbitrary<Parts>,
) => fc.Arbitrary<Generated>[];

export function bodyOf({ operation }: Described): Json | null {
  const content = operation.requestBody?.content;
  return content?.['application/json']?.schema ?? null;
}

export function isRefused({ operation }: Described): boolean {
  return operation.responses['405'] !== undefined;
}

export function requestOf(
  { method, path }: Described,
  { path: named, query, headers, body }: Parts,
  kind: string,
  refusal: Refusal | null,
): Generated {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encoded(named[name] ?? ''),
  );
  const pairs = query.map(
    ([name, value]) => `${encoded(name)}=${encoded(value)}`,
  );
  const json = { 'Content-Type': 'application/json' };
  return {
    method: method.toUpperCase(),
    path: pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`,
    headers: { ...headers, ...(body === null ? {} : json) },
    body: body === null ? null : Buffer.from(JSON.stringify(body)),
    kind,
    refusal,
  };
}

function encoded(value: Value): string {
  if (value instanceof Raw) return value.text;
  const text = typeof value === 'object' ? JSON.stringify(value) : value;
  return encodeURIComponent(String(text));
}
