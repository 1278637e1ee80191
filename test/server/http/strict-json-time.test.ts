import { expect } from 'chai';
import { BoardError } from '../../../server/errors.js';
import { parseStrictJson } from '../../../server/http/body/strict-json.js';

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
