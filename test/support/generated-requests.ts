import fc from 'fast-check';
import {
  type Described,
  type Json,
  type OpenApi,
  operationsOf,
  type ParameterObject,
  resolved,
} from './described.js';
import { type Refused, SchemaValues } from './schema-values.js';

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

type Value = string | number | boolean | object | null;
type Parts = {
  path: Record<string, Value>;
  query: [string, Value][];
  body: Record<string, unknown> | null;
};

/** What a test knows better than the description: values that exist. */
export type Known = Readonly<Record<string, readonly Value[]>>;

/** What a query writes differently: the text is what counts there. */
const QUERY_TEXTS: readonly Refused[] = [
  ...['', '-1', '+1', ' 1', '01', '1.0', '1e2', '0x1', '１', 'null', 'true'],
  ...['1000000000000000', '99999999999999999999', 'NaN', '1,2', 'not-listed'],
].map((value) => ({ value, by: `the text "${value}"` }));

/** Requests of every operation: valid ones, and each with one fault. */
export class GeneratedRequests {
  private readonly values: SchemaValues;

  constructor(
    private readonly document: OpenApi,
    private readonly known: Known,
  ) {
    this.values = new SchemaValues(document);
  }

  any(): fc.Arbitrary<Generated> {
    return fc.oneof(
      ...operationsOf(this.document).map((described) =>
        this.requestOf(described),
      ),
    );
  }

  private requestOf(described: Described): fc.Arbitrary<Generated> {
    const good = this.parts(described).map((parts) =>
      request(described, parts, 'valid', null),
    );
    const faults = [
      ...this.queryFaults(described),
      ...this.bodyFaults(described),
      ...this.pathFaults(described),
    ];
    if (faults.length === 0) return good;
    return fc.oneof(
      { weight: 2, arbitrary: good },
      { weight: 3, arbitrary: fc.oneof(...faults) },
    );
  }

  private parts(described: Described): fc.Arbitrary<Parts> {
    const path = this.parameters(described, 'path').map(
      ({ name, schema }): [string, fc.Arbitrary<Value>] => [
        name,
        this.value(name, schema),
      ],
    );
    const query = this.parameters(described, 'query').map(
      ({ name, schema, required }) => {
        const one = this.value(name, schema);
        return fc
          .option(one, { nil: undefined, freq: required ? 1_000_000 : 1 })
          .map((value): [string, Value][] =>
            value === undefined ? [] : [[name, value]],
          );
      },
    );
    const schema = bodyOf(described);
    const body = schema === null ? fc.constant(null) : this.body(schema);
    return fc.record({
      path: fc.record(Object.fromEntries(path)),
      query: fc.tuple(...query).map((pairs) => pairs.flat()),
      body,
    });
  }

  private body(schema: Json): fc.Arbitrary<Record<string, unknown>> {
    const { properties, required = [] } = this.values.whole(schema);
    const fields = Object.entries((properties ?? {}) as Json).map(
      ([name, inner]): [string, fc.Arbitrary<Value>] => [
        name,
        this.value(name, inner as Json),
      ],
    );
    return fc.record(Object.fromEntries(fields), {
      requiredKeys: required as string[],
    }) as fc.Arbitrary<Record<string, unknown>>;
  }

  private value(name: string, schema: Json): fc.Arbitrary<Value> {
    const known = this.known[name];
    const valid = this.values.valid(schema) as fc.Arbitrary<Value>;
    if (known === undefined) return valid;
    if (name === 'wait') return fc.constantFrom(...known);
    return fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...known) },
      { weight: 1, arbitrary: valid },
    );
  }

  private parameters(
    { operation }: Described,
    place: string,
  ): ParameterObject[] {
    return operation.parameters
      .map((parameter) => resolved(this.document, parameter))
      .filter((parameter) => parameter.in === place);
  }

  /** Wrong values and repeats of each parameter; unknown ones do nothing. */
  private queryFaults(described: Described): fc.Arbitrary<Generated>[] {
    const faults = this.parameters(described, 'query').flatMap((parameter) => {
      const { name } = parameter;
      const with_ = (value: Value, by: string) =>
        this.parts(described).map((parts) => {
          const others = parts.query.filter(([other]) => other !== name);
          const query: [string, Value][] = [...others, [name, value]];
          return request(described, { ...parts, query }, `${name}: ${by}`, name);
        });
      const refused = this.refusedTexts(parameter).map(({ value, by }) =>
        with_(value as Value, by),
      );
      const twice = fc
        .tuple(this.parts(described), this.value(name, parameter.schema))
        .map(([parts, value]) => {
          const others = parts.query.filter(([other]) => other !== name);
          const query: [string, Value][] = [
            ...others,
            [name, value],
            [name, value],
          ];
          return request(described, { ...parts, query }, `${name} twice`, name);
        });
      return [fc.oneof(...refused), twice];
    });
    const unknown = this.parts(described).map((parts) => {
      const query: [string, Value][] = [...parts.query, ['unknown', 'x']];
      return request(described, { ...parts, query }, 'unknown query', null);
    });
    if (described.method === 'post') return [];
    const refuses = described.operation.responses['405'] !== undefined;
    return refuses ? [unknown] : [...faults, unknown];
  }

  /** Texts that the schema's reading of a query refuses. */
  private refusedTexts({ schema }: ParameterObject): Refused[] {
    const beyond = this.values
      .refused(schema)
      .filter(({ value }) => typeof value !== 'object')
      .filter(({ value }) => !takes(schema, String(value)));
    const texts = QUERY_TEXTS.filter(({ value }) => !takes(schema, value));
    return [...beyond, ...texts];
  }

  private bodyFaults(described: Described): fc.Arbitrary<Generated>[] {
    const schema = bodyOf(described);
    if (schema === null) return [];
    const { properties, required = [] } = this.values.whole(schema);
    const change = (
      edit: (body: Record<string, unknown>) => void,
      kind: string,
      field: string,
    ) =>
      this.parts(described).map((parts) => {
        const body = { ...parts.body };
        edit(body);
        return request(described, { ...parts, body }, kind, field);
      });
    const wrong = Object.entries((properties ?? {}) as Json).flatMap(
      ([name, inner]) =>
        this.values.refused(inner as Json).map(({ value, by }) =>
          change(
            (body) => {
              body[name] = value;
            },
            `${name}: ${by}`,
            name,
          ),
        ),
    );
    const missing = (required as string[]).map((name) =>
      change(
        (body) => {
          delete body[name];
        },
        `${name} missing`,
        name,
      ),
    );
    const unknown = change(
      (body) => {
        body.rating = 1;
      },
      'unknown field',
      'rating',
    );
    return [fc.oneof(...wrong), fc.oneof(...missing), unknown];
  }

  /** What is no ID of its kind is a 404, so no field is named. */
  private pathFaults(described: Described): fc.Arbitrary<Generated>[] {
    const names = this.parameters(described, 'path').map(({ name }) => name);
    const texts = ['x', '-1', '01', '1.0', '1e3', '1000000000000000', '%00'];
    return names.map((name) =>
      fc
        .tuple(this.parts(described), fc.constantFrom(...texts, '%F0%9F', '#'))
        .map(([parts, text]) => {
          const path = { ...parts.path, [name]: text };
          return request(described, { ...parts, path }, `path ${text}`, null);
        }),
    );
  }
}

function bodyOf({ operation }: Described): Json | null {
  const content = operation.requestBody?.content;
  return content?.['application/json']?.schema ?? null;
}

/** Whether a query's text is a value of the schema (decisions 1.4). */
function takes(schema: Json, value: unknown): boolean {
  const text = String(value);
  if (schema.type === 'integer') {
    const plain = /^(?:0|[1-9][0-9]{0,14})$/.test(text);
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
    const number = Number(text);
    return plain && number >= Number(minimum) && number <= Number(maximum);
  }
  if (Array.isArray(schema.enum)) return schema.enum.includes(text);
  if (schema.const !== undefined) return schema.const === text;
  const length = Array.from(text).length;
  const { minLength = 0, maxLength = Number.MAX_SAFE_INTEGER } = schema;
  return length >= Number(minLength) && length <= Number(maxLength);
}

function request(
  { method, path }: Described,
  parts: Parts,
  kind: string,
  refusedField: string | null,
): Generated {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(parts.path[name]);
    return /^[%#]/.test(value) ? value.replace('#', '%23') : encode(value);
  });
  const query = parts.query.map(
    ([name, value]) =>
      `${encode(name)}=${encode(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
  );
  return {
    method: method.toUpperCase(),
    path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: parts.body === null ? {} : { 'Content-Type': 'application/json' },
    body: parts.body === null ? null : JSON.stringify(parts.body),
    kind,
    refusedField,
  };
}

/** Unlike encodeURIComponent it takes unpaired surrogates, as `?`. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
