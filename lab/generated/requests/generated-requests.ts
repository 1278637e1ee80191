import fc from 'fast-check';
import type { ErrorCode } from '../../../server/errors.js';
import {
  type Described,
  isForPeople,
  type Json,
  type OpenApi,
  operationsOf,
  type ParameterObject,
  resolved,
} from '../../../test/support/described.js';
import { headerFaults } from './header-faults.js';
import {
  bodyOf,
  type Family,
  type Generated,
  type Pair,
  type Parts,
  requestOf,
  type Source,
  type Value,
} from './parts.js';
import { addressFaults, methodFaults } from './path-faults.js';
import { queryFaults } from './query-faults.js';
import { SchemaValues } from './schema-values.js';
import { wireBodies } from './wire-bodies.js';

/** Members that no request has, some of them of every object's prototype. */
const UNKNOWN = [
  ...['rating', '', 'constructor', 'toString', 'hasOwnProperty', 'prototype'],
];

/** Each field with a wrong value or missing, and one that nobody knows. */
const fieldFaults: Family = (source, described, valid) => {
  const schema = bodyOf(described);
  if (schema === null) return [];
  const { properties = {}, required = [] } = source.values.whole(schema);
  const fault = (name: string, by: string, value: unknown) =>
    valid.map((parts) => {
      // `undefined` is left out of JSON.
      const body = { ...parts.body, [name]: value };
      const kind = `${name}: ${by}`;
      const refusal = { field: name, codes: codesOf(by) };
      return requestOf(described, { ...parts, body }, kind, refusal);
    });
  const wrong = Object.entries(properties as Json).flatMap(([name, inner]) =>
    source.values
      .refused(inner as Json)
      .map(({ value, by }) => fault(name, by, value)),
  );
  const missing = (required as string[]).flatMap((name) => [
    fault(name, 'missing', undefined),
    fault(name, 'blank', ' \u200b\n'),
  ]);
  const unknown = UNKNOWN.map((name) => fault(name, 'unknown', 1));
  return [...wrong, ...missing, ...unknown];
};

function codesOf(by: string): ErrorCode[] {
  if (by === 'unknown') return ['unknown_field'];
  if (by.startsWith('maxLength + 1')) return ['too_long'];
  return ['invalid_input', 'confirmation_required'];
}

/** What a test knows better than the description: values that exist. */
export type Known = Readonly<Record<string, readonly Value[]>>;

/** What can be wrong with a request, and how often it is. */
const FAMILIES: readonly [weight: number, family: Family][] = [
  [4, queryFaults],
  [4, fieldFaults],
  [4, wireBodies],
  [2, addressFaults],
  [1, methodFaults],
  [2, headerFaults],
];

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'X-Agent-Name': ['an agent', 'x'.repeat(500), '\u00fc', ''],
  'X-Board-Source': ['board-monitor', 'someone'],
  'If-None-Match': ['*', '"x"', 'W/"x"', '"x', ', ,', 'x'.repeat(500)],
  'Last-Event-ID': ['0', '5', '-1', 'x', '9'.repeat(20)],
};

/** Valid ones, and each with one fault, from /openapi.json (§R5 D5). */
export class GeneratedRequests implements Source {
  readonly values: SchemaValues;

  constructor(
    private readonly document: OpenApi,
    private readonly known: Known,
  ) {
    this.values = new SchemaValues(document);
  }

  /** Those of programs: a page takes forms, and refuses in its own words. */
  private operations(): Described[] {
    return operationsOf(this.document).filter(
      ({ operation }) => !isForPeople(operation),
    );
  }

  any(): fc.Arbitrary<Generated> {
    return fc.oneof(
      ...this.operations().map((described) => ({
        weight: 2 + this.fieldsOf(described),
        arbitrary: this.requestOf(described),
      })),
    );
  }

  /** A valid one of each operation: chance may leave out what comes seldom. */
  ofEach(): fc.Arbitrary<Generated>[] {
    return this.operations().map((described) =>
      this.validOf(described, this.parts(described)),
    );
  }

  ofFields(): fc.Arbitrary<Generated>[] {
    return this.operations().flatMap((described) =>
      fieldFaults(this, described, this.parts(described)),
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
    const headers = this.parameters(described, 'header').map(
      ({ name }): [string, fc.Arbitrary<string>] => [
        name,
        fc.constantFrom(...(HEADERS[name] ?? ['x'])),
      ],
    );
    const schema = bodyOf(described);
    return fc.record({
      path: fc.record(Object.fromEntries(path)),
      query: fc.tuple(...query).map((pairs) => pairs.flat()),
      headers: fc.oneof(
        { withCrossShrink: true },
        { weight: 3, arbitrary: fc.constant({}) },
        fc.record(Object.fromEntries(headers), { requiredKeys: [] }),
      ) as fc.Arbitrary<Record<string, string>>,
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

  private fieldsOf(described: Described): number {
    const { properties = {} } = this.values.whole(bodyOf(described) ?? {});
    const query = this.parameters(described, 'query');
    return query.length + Object.keys(properties as Json).length;
  }

  private validOf(
    described: Described,
    parts: fc.Arbitrary<Parts>,
  ): fc.Arbitrary<Generated> {
    return parts.map((one) => requestOf(described, one, 'valid', null));
  }

  private requestOf(described: Described): fc.Arbitrary<Generated> {
    const parts = this.parts(described);
    const faults = FAMILIES.flatMap(([weight, family]) => {
      const some = family(this, described, parts);
      return some.length === 0
        ? []
        : [{ weight, arbitrary: fc.oneof(...some) }];
    });
    return fc.oneof(
      { weight: 2, arbitrary: this.validOf(described, parts) },
      { weight: 3, arbitrary: fc.oneof(...faults) },
    );
  }

  private pair(parameter: ParameterObject): fc.Arbitrary<Pair[]> {
    const { name, schema, required } = parameter;
    const given = this.value(name, schema).map((value): Pair[] => [
      [name, value],
    ]);
    if (required) return given;
    // In this order a counterexample loses it.
    const none = fc.constant<Pair[]>([]);
    return fc.oneof({ withCrossShrink: true }, none, given);
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
