import { KEY_BITS } from './slice.js';

/** Pairs of the BMP have unique keys; others share some. */
function pairKey(first: number, second: number): number {
  const planes = ((first >>> 16) << 5) | (second >>> 16);
  const low = (first << 16) | (second & 0xffff);
  return low ^ Math.imul(planes, 0x9e3779b1);
}

function tripleKey(pair: number, third: number): number {
  let mixed = Math.imul(pair ^ (pair >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13) ^ third, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/**
 * Keys of every two and three adjacent code points of folded texts. A text that
 * contains a string has all its keys; shared keys are settled by a literal
 * check. Pairs serve queries of two code points only.
 * The keys are stored: another choice needs a migration.
 */
export function gramsOf(...texts: readonly (string | null)[]): number[] {
  const keys = new Set<number>();
  for (const text of texts) {
    let previous = -1;
    let pair: number | null = null;
    for (const character of text ?? '') {
      const current = character.codePointAt(0) ?? 0;
      if (pair !== null) keys.add(tripleKey(pair, current));
      if (previous >= 0) {
        pair = pairKey(previous, current);
        keys.add(pair);
      }
      previous = current;
    }
  }
  return [...keys];
}

const FACTOR = 0x5bd1e995;
const UNUSED_BITS = 32 - KEY_BITS;
/** Sequences of six are kept when this bit of their hash is 0: half of them. */
const SAMPLED = 1 << (UNUSED_BITS - 1);

/** `length`: code points of the key; `at`: index of the last one. */
type KeyVisitor = (key: number, length: number, at: number) => void;

/**
 * Visits the keys of every two, three and four adjacent code points and of half
 * of all six. A text that contains a string has all its keys; shared keys are
 * settled by a literal check. Fours and sixes distinguish texts of frequent
 * words.
 * The keys are stored: another choice needs a migration.
 */
export function eachKey(text: string, visit: KeyVisitor): void {
  // Hashes of the last one to five code points.
  let [one, two, three, four, five, count] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    let point = text.charCodeAt(at);
    if (point >= 0xd800 && point < 0xdc00) {
      point = text.codePointAt(at) ?? point;
      if (point > 0xffff) at += 1;
    }
    if (count >= 5) {
      const six = Math.imul(five + point, FACTOR);
      if ((six & SAMPLED) === 0) visit(six >>> UNUSED_BITS, 6, count);
    }
    if (count >= 4) five = Math.imul(four + point, FACTOR);
    if (count >= 3) {
      four = Math.imul(three + point, FACTOR);
      visit(four >>> UNUSED_BITS, 4, count);
    }
    if (count >= 2) {
      three = Math.imul(two + point, FACTOR);
      visit(three >>> UNUSED_BITS, 3, count);
    }
    if (count >= 1) {
      two = Math.imul(one + point, FACTOR);
      visit(two >>> UNUSED_BITS, 2, count);
    }
    one = Math.imul(point, FACTOR);
    count += 1;
  }
}

/** More keys cost more reads than they save. */
const MOST = 8;
/** Longer strings leave out shorter keys, which theirs include. */
const WHOLE = 4;
/** By frequency. */
const FREQUENT = ' etaoinsrhldcumfpgwybvk,.x-jqz';
const RARE = 40;

type Candidate = { key: number; rarity: number; length: number; at: number };

function rarityOf(points: readonly string[], from: number, to: number) {
  let sum = 0;
  for (const character of points.slice(from, to)) {
    const place = FREQUENT.indexOf(character);
    sum += 4 + (place < 0 ? RARE : place);
  }
  return sum;
}

function candidatesOf(text: string): Candidate[] {
  const points = [...text];
  const found: Candidate[] = [];
  eachKey(text, (key, length, at) => {
    const rarity = rarityOf(points, at + 1 - length, at + 1);
    found.push({ key, rarity, length, at });
  });
  // A single key may be a frequent one's collision.
  const least = points.length > WHOLE ? WHOLE : points.length - 1;
  return found.filter(({ length }) => length >= least);
}

/** The rarest of each part, probably; none for one code point. */
export function wantedKeys(...texts: readonly string[]): number[] {
  const all = texts.flatMap(candidatesOf);
  const best: Candidate[] = [];
  const parts = Math.min(MOST, all.length);
  for (let n = 0; n < parts; n += 1) {
    const from = Math.floor((n * all.length) / parts);
    const to = Math.floor(((n + 1) * all.length) / parts);
    const part = all.slice(from, to).sort((a, b) => b.rarity - a.rarity);
    best.push(...part.slice(0, 1));
  }
  best.sort((a, b) => b.rarity - a.rarity);
  return [...new Set(best.map(({ key }) => key))];
}
