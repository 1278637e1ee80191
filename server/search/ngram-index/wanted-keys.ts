import { eachKey } from './keys.js';

/** More keys would be read for next to nothing. */
const MOST = 8;
/** Keys of shorter strings are part of those of so many. */
const WHOLE = 4;
/** What texts are made of, the most frequent first. */
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
  // A key alone may be that of another sequence, a frequent one perhaps.
  const least = points.length > WHOLE ? WHOLE : points.length - 1;
  return found.filter(({ length }) => length >= least);
}

/**
 * A few of the keys that every text with one of these folded strings has: of
 * each stretch of them what is likely to be the rarest. None of strings of
 * less than two code points.
 */
export function wantedKeys(...texts: readonly string[]): number[] {
  const all = texts.flatMap(candidatesOf);
  const best: Candidate[] = [];
  const stretches = Math.min(MOST, all.length);
  for (let n = 0; n < stretches; n += 1) {
    const from = Math.floor((n * all.length) / stretches);
    const to = Math.floor(((n + 1) * all.length) / stretches);
    const stretch = all.slice(from, to).sort((a, b) => b.rarity - a.rarity);
    best.push(...stretch.slice(0, 1));
  }
  best.sort((a, b) => b.rarity - a.rarity);
  return [...new Set(best.map(({ key }) => key))];
}
