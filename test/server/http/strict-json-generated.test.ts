import { expect } from 'chai';
import fc from 'fast-check';
import { parseStrictJson } from '../../../server/http/body/strict-json.js';
import { recordFaults } from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import { bytes, outcome, plain, TAKEN } from './json-cases.js';

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
