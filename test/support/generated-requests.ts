import fc from 'fast-check';
import {
  type Described,
  type Json,
  type OpenApi,
  operationsOf,
  type ParameterObject,
  resolved,
} from './described.js';
import { faultsOf } from './request-faults.js';
import { SchemaValues } from './schema-values.js';

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

/** What a test knows better than the description: values that exist. */
export type Known = Readonly<Record<string, readonly Value[]>>;

/** Requests of every operation: valid ones, and each with one fault. */
export class GeneratedRequests {
  readonly values: SchemaValues;

  constructor(
    private readonly document: OpenApi,
    private readonly known: Known,
  ) {
    this.values = new SchemaValues(document);
  }

  /** Operations with more fields come more often. */
  any(): fc.Arbitrary<Generated> {
    return fc.oneof(
      ...operationsOf(this.document).map((described) => ({
        weight: 2 + this.fieldsOf(described).length,
        arbitrary: this.requestOf(described),
      })),
    );
  }

  /** Valid parts of a request, each optional one there or not. */
  parts(described: Described): fc.Arbitrary<Parts> {
    const path = this.parameters(described, 'path').map(
      ({ name, schema }): [string, fc.Arbitrary<Value>] => [
        name,
        this.value(name, schema),
      ],
    );
    const query = this.parameters(described, 'query').map((parameter) =>
      this.pair(parameter),
    );
    const schema = bodyOf(described);
    return fc.record({
      path: fc.record(Object.fromEntries(path)),
      query: fc.tuple(...query).map((pairs) => pairs.flat()),
      body: schema === null ? fc.constant(null) : this.body(schema),
    });
  }

  parameters(
    { operation }: Described,
    place: ParameterObject['in'],
  ): ParameterObject[] {
    return operation.parameters
      .map((parameter) => resolved(this.document, parameter))
      .filter((parameter) => parameter.in === place);
  }

  value(name: string, schema: Json): fc.Arbitrary<Value> {
    const known = this.known[name];
    const valid = this.values.valid(schema) as fc.Arbitrary<Value>;
    if (known === undefined) return valid;
    if (name === 'wait') return fc.constantFrom(...known);
    return fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...known) },
      { weight: 1, arbitrary: valid },
    );
  }

  private fieldsOf(described: Described): string[] {
    const schema = bodyOf(described) ?? {};
    const { properties = {} } = this.values.whole(schema);
    const query = this.parameters(described, 'query');
    return [
      ...query.map(({ name }) => name),
      ...Object.keys(properties as Json),
    ];
  }

  private requestOf(described: Described): fc.Arbitrary<Generated> {
    const good = this.parts(described).map((parts) =>
      requestOf(described, parts, 'valid', null),
    );
    const faults = faultsOf(this, described);
    if (faults.length === 0) return good;
    return fc.oneof(
      { weight: 2, arbitrary: good },
      { weight: 3, arbitrary: fc.oneof(...faults) },
    );
  }

  private pair(parameter: ParameterObject): fc.Arbitrary<[string, Value][]> {
    const { name, schema, required } = parameter;
    const given = this.value(name, schema).map((value): [string, Value][] => [
      [name, value],
    ]);
    return required
      ? given
      : fc.oneof(given, fc.constant<[string, Value][]>([]));
  }

  private body(schema: Json): fc.Arbitrary<Record<string, unknown>> {
    const { properties = {}, required = [] } = this.values.whole(schema);
    const fields = Object.entries(properties as Json).map(
      ([name, inner]): [string, fc.Arbitrary<unknown>] => [
        name,
        this.value(name, inner as Json),
      ],
    );
    const requiredKeys = required as string[];
    return fc.record<Record<string, unknown>, string>(
      Object.fromEntries(fields),
      { requiredKeys },
    ) as fc.Arbitrary<Record<string, unknown>>;
  }
}

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
