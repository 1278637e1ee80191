import fc from 'fast-check';
import type { Described, Json, ParameterObject } from './described.js';
import {
  bodyOf,
  type Generated,
  type Parts,
  requestOf,
  type Source,
  type Value,
} from './request-parts.js';
import type { Refused } from './schema-values.js';

type Faulty = fc.WeightedArbitrary<Generated>;
type Change = (parts: Parts) => Parts;

/** Texts that a query may hold and a JSON body cannot. */
const QUERY_TEXTS: readonly Refused[] = [
  ...['', '-1', '+1', ' 1', '01', '1.0', '1e2', '0x1', '１', 'null', 'true'],
  ...['1000000000000000', '99999999999999999999', 'NaN', '1,2', 'not-listed'],
].map((value) => ({ value, by: `the text "${value}"` }));

const PATH_TEXTS = [
  ...['x', '-1', '01', '1.0', '1e3', '1000000000000000', '#', '?'],
  ...['%00', '%F0%9F', '%2F', '%zz'],
];

/** Requests of an operation with exactly one fault each. */
export function faultsOf(source: Source, described: Described): Faulty[] {
  const refuses = described.operation.responses['405'] !== undefined;
  return [
    ...(refuses ? [] : queryFaults(source, described)),
    ...bodyFaults(source, described),
    ...pathFaults(source, described),
    ...(described.method === 'get' ? [unknownQuery(source, described)] : []),
  ];
}

function faulty(
  source: Source,
  described: Described,
  change: fc.Arbitrary<{ change: Change; by: string }>,
  field: string | null,
): fc.Arbitrary<Generated> {
  return fc
    .tuple(source.parts(described), change)
    .map(([parts, { change, by }]) =>
      requestOf(described, change(parts), by, field),
    );
}

/** Each parameter with a wrong value, and given twice (spec/board.md §1.4). */
function queryFaults(source: Source, described: Described): Faulty[] {
  return source.parameters(described, 'query').flatMap((parameter) => {
    const { name, schema } = parameter;
    const wrong = refusedTexts(source, parameter).map(({ value, by }) => ({
      by: `${name}: ${by}`,
      change: withQuery(name, [value as Value]),
    }));
    const twice = source.value(name, schema).map((value) => ({
      by: `${name} twice`,
      change: withQuery(name, [value, value]),
    }));
    const changes = [
      { weight: 1, arbitrary: twice },
      // Any text will do for some, such as the name of a board.
      ...(wrong.length === 0
        ? []
        : [{ weight: 5, arbitrary: fc.constantFrom(...wrong) }]),
    ];
    const arbitrary = faulty(source, described, fc.oneof(...changes), name);
    return [{ weight: 3, arbitrary }];
  });
}

function withQuery(name: string, values: readonly Value[]): Change {
  return (parts) => {
    const others = parts.query.filter(([other]) => other !== name);
    const given = values.map((value): [string, Value] => [name, value]);
    return { ...parts, query: [...others, ...given] };
  };
}

function unknownQuery(source: Source, described: Described): Faulty {
  const change = withQuery('unknown', ['x']);
  const arbitrary = faulty(
    source,
    described,
    fc.constant({ change, by: 'an unknown parameter' }),
    null,
  );
  return { weight: 1, arbitrary };
}

/** Values that are refused as the texts they become in a query. */
function refusedTexts(source: Source, { schema }: ParameterObject): Refused[] {
  return [...source.values.refused(schema), ...QUERY_TEXTS].filter(
    ({ value }) => typeof value !== 'object' && !takes(schema, String(value)),
  );
}

/** Whether a query's text is a value of the schema (spec/board.md §1.4). */
function takes(schema: Json, text: string): boolean {
  if (schema.type === 'integer') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
    const plain = /^(?:0|[1-9][0-9]{0,14})$/.test(text);
    const number = Number(text);
    return plain && number >= Number(minimum) && number <= Number(maximum);
  }
  if (Array.isArray(schema.enum)) return schema.enum.includes(text);
  if (schema.const !== undefined) return schema.const === text;
  const { minLength = 0, maxLength = Number.MAX_SAFE_INTEGER } = schema;
  const length = Array.from(text).length;
  return length >= Number(minLength) && length <= Number(maxLength);
}

/** Each field with a wrong value or missing, and one nobody knows. */
function bodyFaults(source: Source, described: Described): Faulty[] {
  const schema = bodyOf(described);
  if (schema === null) return [];
  const { properties = {}, required = [] } = source.values.whole(schema);
  const fault = (name: string, by: string, value: unknown): Faulty => ({
    weight: 1,
    arbitrary: faulty(
      source,
      described,
      fc.constant({ change: withField(name, value), by: `${name}: ${by}` }),
      name,
    ),
  });
  const wrong = Object.entries(properties as Json).flatMap(([name, inner]) =>
    source.values
      .refused(inner as Json)
      .map(({ value, by }) => fault(name, by, value)),
  );
  const missing = (required as string[]).map((name) =>
    fault(name, 'missing', undefined),
  );
  return [...wrong, ...missing, fault('rating', 'unknown', 1)];
}

/** `undefined` is left out of JSON. */
function withField(name: string, value: unknown): Change {
  return (parts) => ({ ...parts, body: { ...parts.body, [name]: value } });
}

/** What is no ID of its kind is a 404 of its resource: no field is named. */
function pathFaults(source: Source, described: Described): Faulty[] {
  return source.parameters(described, 'path').map(({ name }) => {
    const change = fc.constantFrom(...PATH_TEXTS).map((text) => ({
      by: `${name} "${text}"`,
      change: (parts: Parts): Parts => ({
        ...parts,
        path: { ...parts.path, [name]: text },
      }),
    }));
    return {
      weight: 2,
      arbitrary: faulty(source, described, change, null),
    };
  });
}
