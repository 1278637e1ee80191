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
import {
  bodyOf,
  type Generated,
  type Parts,
  requestOf,
  type Source,
  type Value,
} from './request-parts.js';
import { SchemaValues } from './schema-values.js';

/** What a test knows better than the description: values that exist. */
export type Known = Readonly<Record<string, readonly Value[]>>;

/** Requests of every operation: valid ones, and each with one fault. */
export class GeneratedRequests implements Source {
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

  /** A valid one of each operation: chance may leave out what comes seldom. */
  ofEach(): fc.Arbitrary<Generated[]> {
    return fc.tuple(
      ...operationsOf(this.document).map((described) => this.valid(described)),
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

  private valid(described: Described): fc.Arbitrary<Generated> {
    return this.parts(described).map((parts) =>
      requestOf(described, parts, 'valid', null),
    );
  }

  private requestOf(described: Described): fc.Arbitrary<Generated> {
    const good = this.valid(described);
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
