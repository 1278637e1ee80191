import fc from 'fast-check';
import { recordFaults } from '../../faults/report.js';
import { chosenSeed } from '../../support/random.js';
import type { ScriptedLog } from '../support/scripted-log.js';

export type Json =
  | null
  | boolean
  | number
  | string
  | Json[]
  | { [key: string]: Json };
type Change = (page: Json, log: ScriptedLog) => Json;
type Blind = (value: Json) => Json;
type Place = readonly (string | number)[];

function placesOf(value: Json, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return [at, ...inner.flatMap(([key, one]) => placesOf(one, [...at, key]))];
}

function valueAt(value: Json, [key, ...rest]: Place): Json {
  if (key === undefined) return value;
  return valueAt((value as Record<string, Json>)[key] ?? null, rest);
}

/** A copy with another value at a place; undefined takes it away. */
function put(value: Json, [key, ...rest]: Place, to?: Json): Json {
  if (key === undefined) return to ?? null;
  const copy = structuredClone(value) as Record<string, Json>;
  if (rest.length > 0) copy[key] = put(copy[key] ?? null, rest, to);
  else if (to !== undefined) copy[key] = to;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy as Json;
}

const pick = <T>(from: readonly T[], place: number): T =>
  from[place % from.length] as T;
const at = fc.nat({ max: 10_000 });

const huge = fc.constantFrom(
  ...[-1, -0, 0.5, 1, 257, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e300],
);
const junk: fc.Arbitrary<Json> = fc.oneof(
  huge,
  fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>,
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('', '\0', '\ud800', '-', 'x'.repeat(70_000), '='.repeat(44)),
  fc.constant(nested(60)),
);

function nested(levels: number): Json {
  let value: Json = [];
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

const spelled: fc.Arbitrary<(text: string) => string> = fc
  .tuple(
    at,
    fc.nat({ max: 5 }),
    fc.constantFrom(
      '',
      '\n',
      '\r\n',
      '\0',
      ' ',
      'A',
      '=',
      '—',
      '\u0301',
      '１',
      '\n\n',
    ),
  )
  .map(([place, cut, mark]) => (text: string) => {
    const from = place % (text.length + 1);
    return text.slice(0, from) + mark + text.slice(from + cut);
  });

const loud: fc.Arbitrary<(text: string) => string> = fc.constantFrom(
  (text) => text.split('\n').reverse().join('\n'),
  (text) => text.replace('\n', '\r\n'),
  (text) => text + text,
  (text) => text.toUpperCase(),
);

/** Changes of any JSON, that know nothing of what it means. */
export const blind: fc.Arbitrary<Blind> = fc.oneof(
  fc.tuple(at, junk).map(([place, value]): Blind => {
    return (page) => put(page, pick(placesOf(page), place), value);
  }),
  at.map(
    (place): Blind =>
      (page) =>
        put(page, pick(placesOf(page), place)),
  ),
  fc.tuple(at, at).map(([one, two]): Blind => {
    return (page) => {
      const from = pick(placesOf(page), one);
      return put(page, pick(placesOf(page), two), valueAt(page, from));
    };
  }),
  fc
    .tuple(at, fc.string({ maxLength: 8 }), junk)
    .map(([place, key, value]): Blind => {
      return (page) => {
        const objects = placesOf(page).filter((one) => {
          const found = valueAt(page, one);
          return (
            typeof found === 'object' && found !== null && !Array.isArray(found)
          );
        });
        return objects.length === 0
          ? page
          : put(page, [...pick(objects, place), key], value);
      };
    }),
  fc.tuple(at, fc.oneof(spelled, loud)).map(([place, change]): Blind => {
    return (page) => {
      const texts = placesOf(page).filter(
        (one) => typeof valueAt(page, one) === 'string',
      );
      const where = pick(texts, place);
      return texts.length === 0
        ? page
        : put(page, where, change(String(valueAt(page, where))));
    };
  }),
);

type Page = ReturnType<ScriptedLog['page']>;

/** Still one that the next change can read. */
function isPage(value: Json, { size }: ScriptedLog): boolean {
  const page = value as Partial<Page> | null;
  const isList = (list: unknown) => Array.isArray(list);
  if (!isList(page?.entries) || !isList(page?.consistency)) return false;
  const from = page?.from ?? -1;
  if (!Number.isInteger(from) || from < 0 || from > size) return false;
  return page?.entries?.every((one) => typeof one === 'object' && one) === true;
}

function ofPage(change: (page: Page, log: ScriptedLog) => object): Change {
  return (page, log) =>
    isPage(page, log) ? (change(page as unknown as Page, log) as Json) : page;
}

function moved<T>(list: readonly T[], one: number, two: number): T[] {
  const copy = [...list];
  const [taken] = copy.splice(one % Math.max(1, copy.length), 1);
  if (taken !== undefined) copy.splice(two % (copy.length + 1), 0, taken);
  return copy;
}

/** Changes that keep a page one: what a log would have to lie about. */
const knowing: fc.Arbitrary<Change> = fc
  .tuple(fc.nat({ max: 9 }), at, at, fc.nat({ max: 3 }))
  .map(([kind, one, two, much]) =>
    ofPage((page, log) => {
      const { entries, from, to, consistency } = page;
      const size = one % (log.size + 1);
      switch (kind) {
        case 0:
          return { ...page, entries: moved(entries, one, two) };
        case 1:
          return {
            ...page,
            to: to - much,
            entries: entries.slice(0, entries.length - much),
          };
        case 2:
          return {
            ...page,
            to: to + 1,
            entries: [...entries, pick(entries, one)],
          };
        case 3:
          return { ...page, from: from + much, to: to + much };
        case 4:
          return { ...page, checkpoint: log.head(size) };
        case 5:
          return log.page(one % log.size, 1 + (two % 4), 'all', log.size);
        case 6:
          return {
            ...page,
            consistency: moved(consistency, one, two).slice(0, -1),
          };
        case 7:
          return { ...page, consistency: log.consistency(size, log.size) };
        case 8:
          return {
            ...log.page(from, 1 + (one % 6), 'all'),
            checkpoint: log.head(size),
          };
        default:
          return {
            ...page,
            entries: entries.map((entry, nth) => ({
              ...entry,
              content: pick(entries, nth + one)?.content ?? null,
            })),
          };
      }
    }),
  );

/** What no writer of JSON makes. */
const written: fc.Arbitrary<(text: string) => string | Buffer> = fc.oneof(
  { weight: 6, arbitrary: fc.constant((text: string) => text) },
  { weight: 1, arbitrary: spelled },
  at.map((place) => (text: string) => text.slice(0, place % text.length)),
  fc
    .constantFrom('1e2', '01', '-0', '1.0', '0x1', 'NaN', '1E400')
    .map(
      (number) => (text: string) =>
        text.replace(/"(from|to)":\d+/, `"$1":${number}`),
    ),
  fc
    .constantFrom(
      ...['"to":0', '"entries":[]', '"__proto__":{"to":1}'],
      `"deep":${'['.repeat(3000)}${']'.repeat(3000)}`,
    )
    .map((member) => (text: string) => text.replace(/}$/, `,${member}}`)),
  fc.tuple(at, fc.nat({ max: 255 })).map(([place, byte]) => (text: string) => {
    const bytes = Buffer.from(text);
    bytes[place % Math.max(1, bytes.length)] = byte;
    return bytes;
  }),
);

export const lies = fc.record({
  changes: fc.array(fc.oneof(blind, knowing), { minLength: 1, maxLength: 3 }),
  written,
  posts: fc.integer({ min: 1, max: 5 }),
  signed: fc.boolean(),
});
export type Lies = typeof lies extends fc.Arbitrary<infer T> ? T : never;

export function toldBy(
  { changes, written }: Pick<Lies, 'changes' | 'written'>,
  honest: unknown,
  log: ScriptedLog,
): string | Buffer {
  let told = structuredClone(honest) as Json;
  for (const change of changes) told = change(told, log);
  return written(JSON.stringify(told) ?? '');
}

/** Checks a property of lies so often, and records them as faults of a row. */
export async function holds(
  test: string,
  numRuns: number,
  property: fc.IAsyncProperty<[Lies, ...unknown[]]>,
): Promise<void> {
  const seed = chosenSeed();
  await fc.assert(property, { numRuns, seed, includeErrorInReport: true });
  await recordFaults({ test, seed, faults: numRuns });
}
