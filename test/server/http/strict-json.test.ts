import fc from 'fast-check';
import { BoardError } from '../../../server/errors.js';
import { parseStrictJson } from '../../../server/http/body/strict-json.js';
import { recordFaults } from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import {
  bytes,
  nest,
  nestObjects,
  REFUSED,
  UNSTORABLE,
} from './malformed-json.js';

function outcome(input: string | Uint8Array): string {
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  try {
    parseStrictJson(bytes);
    return 'parsed';
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    const { field } = error.extras;
    return field === undefined ? error.code : `${error.code} ${field}`;
  }
}

/** What JSON.parse makes of it, -0 as 0, without prototypes to compare. */
function plain(text: string): unknown {
  return JSON.parse(text, (_key, value) => (value === 0 ? 0 : value));
}

const TAKEN: string[] = [
  '{}',
  '[]',
  '""',
  '0',
  'null',
  'true',
  'false',
  ' { } ',
  '\r\n\t{"a" : [ 1 , 2 ] }\n',
  '{"a":-1.5e-3,"b":1E+2,"c":0.0}',
  '{"":0}',
  '{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC"}',
  '{"a":"\\ud83d\\ude00 😀 \u2028 \u007f"}',
  '{"a":"\ufeff"}',
  '{"a":{"a":{"a":1}},"b":{"a":1}}',
  '9007199254740993',
  '[1e-400]',
  '{"constructor":1,"toString":2,"hasOwnProperty":3}',
  nest(8),
  nestObjects(8),
  `[${nest(7)},${nest(7)}]`,
];

describe('parseStrictJson', () => {
  for (const [name, input] of REFUSED) {
    it(`refuses ${name}`, () => {
      expect(outcome(input)).to.equal('invalid_json');
    });
  }

  for (const [name, input, field] of UNSTORABLE) {
    it(`refuses text that cannot be stored: ${name}`, () => {
      expect(outcome(input)).to.equal(`invalid_unicode${field}`);
    });
  }

  for (const input of TAKEN) {
    it(`reads ${JSON.stringify(input).slice(0, 60)} as JSON.parse does`, () => {
      const value = parseStrictJson(Buffer.from(input));
      expect(JSON.stringify(value)).to.equal(JSON.stringify(plain(input)));
    });
  }

  it('names a syntax error before text that cannot be stored', () => {
    expect(outcome('{"a":"\\u0000"')).to.equal('invalid_json');
  });

  it('reads 1.0, 1e0, 10e-1 and -0 as integers', () => {
    const value = parseStrictJson(Buffer.from('[1.0,1e0,10e-1,-0]'));
    expect(value).to.deep.equal([1, 1, 1, 0]);
  });

  it('keeps __proto__ as an own key and pollutes nothing', () => {
    const value = parseStrictJson(Buffer.from('{"__proto__":{"x":1}}'));
    expect(Object.keys(Object(value))).to.deep.equal(['__proto__']);
    expect(Object.getPrototypeOf(value)).to.equal(null);
    expect(Object.hasOwn(Object.prototype, 'x')).to.equal(false);
  });

  it('reads a view that does not start at its buffer', () => {
    const view = new Uint8Array(Buffer.from('xx{"a":1}yy')).subarray(2, 9);
    expect(JSON.stringify(parseStrictJson(view))).to.equal('{"a":1}');
  });
});

const RUNS = FULL ? 20_000 : 5000;

/** Whether a text that JSON.parse takes is one this parser must refuse. */
function laxer(native: unknown, text: string): boolean {
  let keys = 0;
  const bad = (value: unknown, depth: number): boolean => {
    if (typeof value === 'number') return !Number.isFinite(value);
    if (typeof value === 'string') return /\p{Surrogate}|\0/u.test(value);
    if (typeof value !== 'object' || value === null) return false;
    if (depth > 8) return true;
    const names = Array.isArray(value) ? [] : Object.keys(value);
    keys += names.length;
    return [...names, ...Object.values(value)].some((v) => bad(v, depth + 1));
  };
  if (bad(native, 1)) return true;
  return keys < text.split(':').length - 1; // a key was swallowed
}

describe('parseStrictJson on generated input', () => {
  it('reads every JSON text of fast-check as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, stringUnit: 'grapheme' }), (text) => {
        fc.pre(!/\\u0000/.test(text));
        const value = parseStrictJson(Buffer.from(text));
        expect(JSON.stringify(value)).to.equal(JSON.stringify(plain(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it(`agrees with JSON.parse on whether ${RUNS} mutated texts are JSON`, async () => {
    const seeds = [...TAKEN, '{"body":"héllo \\u00e9","n":[1,2.5e3,true]}'];
    const piece = fc.constantFrom(
      ...['{', '}', '[', ']', '"', ',', ':', '\\', 'u', '0', '1', '-', '.'],
      ...['e', '+', ' ', '\n', '\t', '\u0000', 'é', '😀', 'null', '\u00a0'],
    );
    const seed = fc.constantFrom(...seeds);
    const edit = fc.tuple(fc.nat(80), fc.nat(2), piece);
    let refusals = 0;
    fc.assert(
      fc.property(seed, fc.array(edit, { maxLength: 3 }), (start, edits) => {
        const text = edits.reduce((now, [at, cut, put]) => {
          const i = at % (now.length + 1);
          return now.slice(0, i) + put + now.slice(i + cut);
        }, start);
        fc.pre(Buffer.from(text).toString() === text);
        let native: unknown;
        try {
          native = plain(text);
        } catch {
          refusals += 1;
          expect(outcome(text), text).to.equal('invalid_json');
          return;
        }
        const got = outcome(text);
        if (got !== 'parsed') {
          expect(laxer(native, text), `${got} ${text}`).to.equal(true);
          return;
        }
        const value = parseStrictJson(Buffer.from(text));
        expect(JSON.stringify(value)).to.equal(JSON.stringify(native));
      }),
      { numRuns: RUNS },
    );
    expect(refusals).to.be.greaterThan(RUNS / 5);
    await recordFaults({ test: 'D4 texts', faults: RUNS });
  });

  it(`throws nothing but BoardError on ${RUNS} arbitrary byte strings`, async () => {
    const any = fc.uint8Array({ maxLength: 64 });
    const quoted = any.map((middle) => bytes('{"a":"', [...middle], '"}'));
    fc.assert(
      fc.property(fc.oneof(any, quoted), (input) => {
        expect(outcome(input)).to.match(/^(?:parsed|invalid_(?:json|unicode))/);
      }),
      { numRuns: RUNS },
    );
    await recordFaults({ test: 'D4 bytes', faults: RUNS });
  });
});

const SIZE = 65_536;

function fill(
  open: string,
  unit: (i: number) => string,
  close: string,
): Buffer {
  const units: string[] = [];
  let size = open.length + close.length;
  for (let i = 0; ; i += 1) {
    const next = unit(i);
    size += next.length + 1;
    if (size > SIZE) return Buffer.from(open + units.join(',') + close);
    units.push(next);
  }
}

const text = (unit: string): Buffer =>
  Buffer.from(`{"body":"${unit.repeat((SIZE - 12) / unit.length)}"}`);

const WORST: Record<string, Buffer> = {
  'one long string': text('a'),
  'short escapes': text('\\n'),
  'surrogate pairs as escapes': text('\\ud83d\\ude00'),
  'raw two-byte text': Buffer.from(`"${'é'.repeat(32_000)}"`),
  'one-digit numbers': fill('[', () => '1', ']'),
  exponents: fill('[', () => '1e9', ']'),
  'one long number': Buffer.from(`[0.${'1'.repeat(SIZE - 10)}]`),
  'short keys': fill('{', (i) => `"${i.toString(36)}":1`, '}'),
  'number keys': fill('{', (i) => `"${i}":1`, '}'),
  'number keys that share low bits': fill('{', (i) => `"${i << 16}":1`, '}'),
  'empty objects': fill('[', () => '{}', ']'),
  'eight levels over and over': fill('[', () => '[[[[[[[]]]]]]]', ']'),
  'brackets without end': Buffer.from('['.repeat(SIZE)),
  'white space': Buffer.from(`[${' '.repeat(SIZE - 3)}1`),
  'unpaired surrogates': fill('[', () => '"\\ud800"', ']'),
};

function milliseconds(bytes: Buffer): number {
  const started = performance.now();
  try {
    parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
  }
  return performance.now() - started;
}

function best(bytes: Buffer): number {
  return Math.min(...Array.from({ length: 8 }, () => milliseconds(bytes)));
}

/** The aim is 2 ms on an idle core; a slow, shared one is given more. */
const MOST_MS = 20;

describe('the time parseStrictJson takes for 64 KiB', () => {
  for (const [name, bytes] of Object.entries(WORST)) {
    it(`is at most ${MOST_MS} ms for ${name}`, () => {
      expect(best(bytes)).to.be.at.most(MOST_MS);
    });
  }

  it('grows with the size, not with its square', () => {
    const keys = WORST['short keys'] ?? Buffer.alloc(0);
    const eighth = Buffer.from(
      `${keys.toString().slice(0, keys.lastIndexOf(',', SIZE / 8))}}`,
    );
    // Linear is a factor of 8; a square would be 64. By turns, because a
    // machine that others use is slow for seconds.
    const least = { keys: Infinity, eighth: Infinity };
    for (let turn = 0; turn < 20; turn += 1) {
      least.keys = Math.min(least.keys, best(keys));
      least.eighth = Math.min(least.eighth, best(eighth));
      if (least.keys / least.eighth < 16) break;
    }
    expect(least.keys / least.eighth).to.be.below(32);
  });
});
