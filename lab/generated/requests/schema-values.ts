import fc from 'fast-check';
import {
  type Json,
  type OpenApi,
  resolved,
} from '../../../test/support/described.js';

/** A value a schema refuses, and by what. */
export type Refused = { value: unknown; by: string };

const WORDS = fc.constantFrom(
  ...['text', 'See #1 and #2.', '**bold** <b>', 'ünïcode 😀 𝔘', '"quoted"'],
  ...['cold start', 'a:b: c', '\u202e', "'; DROP TABLE message; --", '%_\\'],
);

/** Values of schemas, and values just beyond them, by a printed seed. */
export class SchemaValues {
  constructor(private readonly document: OpenApi) {}

  valid(given: Json): fc.Arbitrary<unknown> {
    const schema = this.whole(given);
    const options = alternatives(schema);
    if (options !== null) {
      return fc.oneof(...options.map((option) => this.valid(option)));
    }
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
    switch (schema.type) {
      case 'integer':
        return integer(schema);
      case 'string':
        return text(schema);
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.uniqueArray(this.valid(schema.items as Json), {
          minLength: Number(schema.minItems ?? 0),
          maxLength: Number(schema.maxItems ?? 3),
        });
      case 'object':
        return this.object(schema);
      default:
        throw new Error(`no values of ${JSON.stringify(schema)}`);
    }
  }

  /** Values that it refuses: beyond a bound, of another type, not listed. */
  refused(given: Json): Refused[] {
    const schema = this.whole(given);
    const options = alternatives(schema);
    const types = options ?? [schema];
    const kinds = types.map((option) => typeOf(this.whole(option)));
    const wrong = OTHERS.filter(({ is }) => !kinds.includes(is)).map(
      ({ value, is }) => ({ value, by: `${is} for ${kinds.join()}` }),
    );
    const bounded = types.map((option) => this.whole(option));
    const [only, ...more] = bounded.filter((it) => typeOf(it) !== 'null');
    const beyond = only && more.length === 0 ? beyondBounds(only) : [];
    return [...wrong, ...beyond];
  }

  whole(schema: Json): Json {
    return resolved(this.document, schema as Json & { $ref?: string });
  }

  private object(schema: Json): fc.Arbitrary<unknown> {
    const properties = (schema.properties ?? {}) as { [name: string]: Json };
    const required = (schema.required ?? []) as string[];
    const values = Object.entries(properties).map(
      ([name, inner]): [string, fc.Arbitrary<unknown>] => [
        name,
        this.valid(inner),
      ],
    );
    return fc.record(Object.fromEntries(values), { requiredKeys: required });
  }
}

const OTHERS = Object.entries({
  ...{ string: ['text', '1'], integer: [7], number: [1.5, 1e300] },
  ...{ boolean: [true], null: [null], array: [[], [1]] },
  object: [{}, { toString: 'x' }],
}).flatMap(([is, values]) => values.map((value: unknown) => ({ is, value })));

function alternatives(schema: Json): Json[] | null {
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => ({ ...schema, type }));
  }
  return (schema.anyOf ?? schema.oneOf ?? null) as Json[] | null;
}

function typeOf(schema: Json): string {
  const [first] = Array.isArray(schema.enum) ? schema.enum : [schema.const];
  if (typeof schema.type === 'string') return schema.type;
  return typeof first;
}

function integer({ minimum = 0, maximum = 40 }: Json): fc.Arbitrary<number> {
  const min = Number(minimum);
  const max = Number(maximum);
  const small = Math.min(max, min + 40);
  return fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min, max: small }) },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
  );
}

/** Lengths are code points; a letter keeps texts from being blank. */
function text(schema: Json): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid();
  if (typeof schema.pattern === 'string') {
    return fc.stringMatching(new RegExp(schema.pattern, 'u'));
  }
  const min = Math.max(1, Number(schema.minLength ?? 1));
  const max = Number(schema.maxLength ?? 60);
  const cut = (value: string) =>
    Array.from(`${value}${'x'.repeat(min)}`)
      .slice(0, max)
      .join('');
  const short = fc.string({ unit: 'grapheme', maxLength: Math.min(max, 40) });
  return fc.oneof(
    { weight: 4, arbitrary: WORDS.map(cut) },
    { weight: 4, arbitrary: short.map((value) => cut(`a${value}`)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('x'.repeat(min), '😀'.repeat(max)),
    },
  );
}

function beyondBounds(schema: Json): Refused[] {
  const refused: Refused[] = [];
  const add = (value: unknown, by: string) => refused.push({ value, by });
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  if (typeof minimum === 'number') add(minimum - 1, 'minimum - 1');
  if (typeof maximum === 'number') add(maximum + 1, 'maximum + 1');
  if (typeof maxLength === 'number') {
    add('x'.repeat(maxLength + 1), 'maxLength + 1');
    add('😀'.repeat(maxLength + 1), 'maxLength + 1 outside the BMP');
  }
  if (typeof minLength === 'number' && minLength > 0) {
    add('x'.repeat(minLength - 1), 'minLength - 1');
  }
  const one = (schema.items as Json | undefined)?.type === 'string';
  const items = (count: number) =>
    Array.from({ length: count }, (_, n) => (one ? `item ${n}` : n));
  if (typeof minItems === 'number') add(items(minItems - 1), 'minItems - 1');
  if (typeof maxItems === 'number') add(items(maxItems + 1), 'maxItems + 1');
  const listed = schema.enum ?? schema.const;
  if (listed !== undefined) {
    if (listed === true) add(false, 'not listed');
    else if (typeOf(schema) === 'integer') add(99, 'not listed');
    else add('not-listed', 'not listed');
  }
  if (schema.pattern !== undefined || schema.format !== undefined) {
    add('no match', 'pattern');
  }
  return refused;
}
