/** Two code points of the BMP have a key of their own; others share some. */
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
 * Distinct keys of every two and every three adjacent code points within each
 * of the texts, which are folded already. A text that holds a string holds all
 * its keys; the reverse is settled by a literal check, so keys that two
 * sequences share do no harm. Pairs serve texts of two code points; for longer
 * ones they are too common, and the triples tell texts apart.
 *
 * The keys are stored. Another choice of keys needs a migration.
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
