import fc from 'fast-check';
import type { Json, ParameterObject } from '../../../test/support/described.js';
import {
  type Family,
  type Generated,
  isRefused,
  type Pair,
  type Parts,
  Raw,
  type Refusal,
  requestOf,
  type Source,
  type Value,
} from './parts.js';

type Change = { by: string; query: (pairs: Pair[]) => Pair[] };

/** Texts that a query may hold and a JSON body cannot. */
const TEXTS = [
  ...['', '-1', '+1', ' 1', '01', '1.0', '1e2', '0x1', '１', 'null', 'true'],
  ...['1000000000000000', '9'.repeat(20), '9'.repeat(400), 'NaN', '1,2'],
  ...['not-listed', 'toString', '__proto__'],
];

/** Escapes and bytes as they are sent, and the text they are; null: none. */
const ESCAPES: readonly [sent: string, text: string | null][] = [
  ['%00', null],
  ['a%00b', null],
  ['%FF', null],
  ['%C0%AF', null],
  ['%ED%A0%80', null],
  ['%ED%BF%BF', null],
  ['%F4%90%80%80', null],
  ['%E2%82', null],
  ['%', '%'],
  ['%zz', '%zz'],
  ['%2', '%2'],
  ['1%', '1%'],
  ['+', ' '],
  ['%2B', '+'],
  ['a=b', 'a=b'],
];

/** Names that no read knows: they are ignored (spec/board.md §1.4). */
const UNKNOWN: readonly (string | Raw)[] = [
  ...['unknown', '', '__proto__', 'constructor', 'toString', 'limit[]'],
  ...['a[b]', 'Limit', ' limit', 'x'.repeat(3000)],
  ...['%FF', '%00', '%ED%A0%80', '%'].map((text) => new Raw(text)),
];

/** Each parameter wrong or given twice, and one that nobody knows. */
export const queryFaults: Family = (source, described, valid) => {
  const changed = (change: fc.Arbitrary<Change>, refusal: Refusal | null) =>
    fc
      .tuple(valid, change)
      .map(
        ([parts, { by, query }]): Generated =>
          requestOf(
            described,
            { ...parts, query: query(parts.query) } satisfies Parts,
            by,
            refusal,
          ),
      );
  if (described.method !== 'get' || isRefused(described)) return [];
  const unknown = fc.constantFrom(...UNKNOWN).map(
    (name): Change => ({
      by: 'an unknown parameter',
      query: (pairs) => [...pairs, [name, 'x'], [name, 'x']],
    }),
  );
  const known = source
    .parameters(described, 'query')
    .flatMap((parameter) => [
      changed(wrong(source, parameter), { field: parameter.name }),
      changed(twice(source, parameter), { field: parameter.name }),
    ]);
  return [...known, changed(unknown, null)];
};

function wrong(
  source: Source,
  { name, schema }: ParameterObject,
): fc.Arbitrary<Change> {
  const beyond = source.values
    .refused(schema)
    .filter(({ value }) => typeof value !== 'object')
    .map(({ value }) => String(value));
  const texts = [...beyond, ...TEXTS].filter((text) => !takes(schema, text));
  const escapes = ESCAPES.filter(
    ([, text]) => text === null || !takes(schema, text),
  ).map(([sent]) => new Raw(sent));
  return fc.constantFrom<Value>(...texts, ...escapes).map((value) => ({
    by: `${name} is ${value instanceof Raw ? value.text : value}`,
    query: (pairs) => [...without(pairs, name), [name, value]],
  }));
}

/** Also where one of its names is written in escapes. */
function twice(
  source: Source,
  { name, schema }: ParameterObject,
): fc.Arbitrary<Change> {
  const hex = Buffer.from(name).toString('hex').replace(/../g, '%$&');
  const names = fc.constantFrom(name, new Raw(hex));
  return fc.tuple(names, source.value(name, schema)).map(([again, value]) => ({
    by: `${name} twice`,
    query: (pairs) => [...without(pairs, name), [name, value], [again, value]],
  }));
}

function without(pairs: Pair[], name: string): Pair[] {
  return pairs.filter(([other]) => other !== name);
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
