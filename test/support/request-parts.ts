import type fc from 'fast-check';
import type { Described, Json, ParameterObject } from './described.js';
import type { SchemaValues } from './schema-values.js';

/** A request made from the description, and what it has to be answered. */
export type Generated = {
  method: string;
  /** With its query. */
  path: string;
  headers: { [name: string]: string };
  body: string | null;
  /** How it was made, for people. */
  kind: string;
  /** The field that a 400 or 422 has to name; null: none is expected. */
  refusedField: string | null;
};

export type Value = string | number | boolean | object | null;
export type Parts = {
  path: Record<string, Value>;
  query: [string, Value][];
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

export function bodyOf({ operation }: Described): Json | null {
  const content = operation.requestBody?.content;
  return content?.['application/json']?.schema ?? null;
}

/** Writes the parts as a request; path texts that begin with `%` stay. */
export function requestOf(
  { method, path }: Described,
  parts: Parts,
  kind: string,
  refusedField: string | null,
): Generated {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(parts.path[name]);
    return value.startsWith('%') ? value : encodeURIComponent(value);
  });
  const query = parts.query.map(([name, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : value;
    return `${encodeURIComponent(name)}=${encodeURIComponent(String(text))}`;
  });
  return {
    method: method.toUpperCase(),
    path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: parts.body === null ? {} : { 'Content-Type': 'application/json' },
    body: parts.body === null ? null : JSON.stringify(parts.body),
    kind,
    refusedField,
  };
}
