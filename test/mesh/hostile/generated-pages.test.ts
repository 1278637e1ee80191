import { expect } from 'chai';
import fc from 'fast-check';
import { recordFaults } from '../../faults/report.js';
import { type Agent, newAgent } from '../../support/agent.js';
import { FULL } from '../../support/full.js';
import { forAllTests } from '../../support/hooks.js';
import { chosenSeed } from '../../support/random.js';
import { HostilePeer } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { peerRow } from '../support/two-boards.js';
import { type Driven, driven, keptOf, type Puller } from './driven.js';

const RUNS = FULL ? 20_000 : 60;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Change = (page: Json, log: ScriptedLog) => Json;
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
  fc.constantFrom(60, 3000).map((deep) => nested(deep)),
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

/** Changes that know nothing of what a page means. */
const blind: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(at, junk).map(([place, value]): Change => {
    return (page) => put(page, pick(placesOf(page), place), value);
  }),
  at.map(
    (place): Change =>
      (page) =>
        put(page, pick(placesOf(page), place)),
  ),
  fc.tuple(at, at).map(([one, two]): Change => {
    return (page) => {
      const from = pick(placesOf(page), one);
      return put(page, pick(placesOf(page), two), valueAt(page, from));
    };
  }),
  fc
    .tuple(at, fc.string({ maxLength: 8 }), junk)
    .map(([place, key, value]): Change => {
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
  fc.tuple(at, spelled).map(([place, change]): Change => {
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
    .constantFrom('"to":0', '"entries":[]', '"__proto__":{"to":1}')
    .map((member) => (text: string) => text.replace(/}$/, `,${member}}`)),
  fc.tuple(at, fc.nat({ max: 255 })).map(([place, byte]) => (text: string) => {
    const bytes = Buffer.from(text);
    bytes[place % Math.max(1, bytes.length)] = byte;
    return bytes;
  }),
);

const lies = fc.record({
  changes: fc.array(fc.oneof(blind, knowing), { minLength: 1, maxLength: 3 }),
  written,
  posts: fc.integer({ min: 1, max: 5 }),
  signed: fc.boolean(),
});
type Lies = typeof lies extends fc.Arbitrary<infer T> ? T : never;

const NAMED =
  /^(feed_corrupt|bad_checkpoint|rolled_back|equivocation|bad_encoding|too_large)$/;

describe('generated lies in the pages of a log', () => {
  let scene: Driven;
  let log: ScriptedLog;
  let peer: HostilePeer;
  let puller: Puller;
  let agent: Agent;
  const ends = new Map<string, number>();

  forAllTests(driven, async (made) => {
    scene = made;
    log = new ScriptedLog('liar.example', made.b.clock.now() - 1000);
    agent = newAgent();
    log.key(agent);
    peer = await HostilePeer.start(log);
    puller = await made.puller(peer);
  });

  after(async () => {
    await puller.end();
    await peer.stop();
  });

  it('store nothing that the log did not sign, and end in a named state', async () => {
    const seed = chosenSeed();
    const property = fc.asyncProperty(lies, toldAndMended);
    await fc.assert(property, {
      numRuns: RUNS,
      seed,
      includeErrorInReport: true,
    });
    expect(ends.get('failed') ?? 0, JSON.stringify([...ends])).to.be.above(
      RUNS / 4,
    );
    const evidence = await scene.b.as().get('/api/mesh/evidence');
    expect(evidence.body.count).to.equal(0);
    await recordFaults({ test: 'generated pages', seed, faults: RUNS });
  });

  async function toldAndMended({
    changes,
    written,
    ...it
  }: Lies): Promise<void> {
    const { b } = scene;
    for (let nth = 0; nth < it.posts; nth += 1) {
      log.post(it.signed ? { agent } : {});
    }
    peer.mode = ({ path, query, res }) => {
      if (path !== '/log/feed') return false;
      const honest = log.page(Number(query.get('from')), 256, 'all');
      let page = structuredClone(honest) as unknown as Json;
      for (const change of changes) page = change(page, log);
      res.writeHead(200, { 'Content-Type': 'application/json' });
      res.end(written(JSON.stringify(page) ?? ''));
      return true;
    };
    const outcome = await puller.toEnd(3);
    ends.set(outcome, (ends.get(outcome) ?? 0) + 1);
    await expectTrue(log.size);
    const told = await peerRow(b, puller.originId);
    expect(told.status).to.equal('active');
    if (outcome === 'failed') expect(told.last_error_code).to.match(NAMED);
    peer.mode = () => false;
    expect(await puller.toEnd()).to.equal('level');
    await expectTrue(log.size, log.size);
    expect((await peerRow(b, puller.originId)).last_error_code).to.equal(null);
  }

  /** What is kept is the beginning of the log, and no longer than it. */
  async function expectTrue(most: number, least = 0): Promise<void> {
    const kept = await keptOf(scene.b, puller.originId);
    expect(kept.size).to.be.within(least, most);
    expect(kept.leaves).to.deep.equal(log.leaves.slice(0, kept.size));
    for (const { id, status, body } of kept.posts) {
      if (status === 'ok') expect(body).to.equal(`Body of ${id}.`);
    }
  }
});
