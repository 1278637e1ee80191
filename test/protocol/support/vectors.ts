import { readFileSync } from 'node:fs';
import { AssertionError } from 'chai';
import vectors from '../../../docs/spec/mesh-vectors.json' with {
  type: 'json',
};
import { fromBase64, fromHex } from '../../../protocol/bytes.js';
import {
  type KeyPair,
  keyPairFromSeed,
  ready,
} from '../../../protocol/signing.js';
import type { Verdict } from '../../../protocol/verdict.js';
import { parseVkey, type Vkey } from '../../../protocol/vkey.js';

await ready();

export { vectors };

export function readVectors<T>(name: string): T {
  const path = new URL(`../../vectors/${name}`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

export function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('no value');
  return value;
}

/** The value of an accepted verdict; fails the test on a refusal. */
export function taken<T, R extends string>(verdict: Verdict<T, R>): T {
  if (!verdict.ok) throw new Error(`refused: ${verdict.reason}`);
  return verdict.value;
}

/** The reason of a refusal; fails the test on an accepted verdict. */
export function refusal<T, R extends string>(verdict: Verdict<T, R>): R {
  if (verdict.ok) throw new AssertionError('was accepted');
  return verdict.reason;
}

export const b64 = (text: string): Uint8Array => must(fromBase64(text));
export const hex = (text: string): Uint8Array => must(fromHex(text));
export const vkey = (text: string): Vkey => taken(parseVkey(text));
export const seedPair = (text: string): KeyPair => keyPairFromSeed(hex(text));

export const testPair = (byte: number): KeyPair =>
  keyPairFromSeed(new Uint8Array(32).fill(byte));

/** Each byte replaced by others; each third taken out, or one put before it. */
export function* edits(bytes: Uint8Array): Generator<[number, Uint8Array]> {
  for (const [at, was] of bytes.entries()) {
    const moved = at % 3 === 0 ? [[], [0x37, was]] : [];
    for (const now of [[was ^ 1], [0x37], [0xff], ...moved]) {
      if (now.length === 1 && now[0] === was) continue;
      const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + 1)];
      yield [at, Buffer.concat([before, Buffer.from(now), after])];
    }
  }
}
