/** One in so many runs of four code points gets a key. */
const RUN_SAMPLE = 4;

/** Two code points of the BMP have a key of their own; others share some. */
function pairKey(first: number, second: number): number {
  const planes = ((first >>> 16) << 5) | (second >>> 16);
  const low = (first << 16) | (second & 0xffff);
  return low ^ Math.imul(planes, 0x9e3779b1);
}

/** Of two adjacent pairs, the second of which starts where the first ends. */
function runKey(first: number, second: number): number {
  let mixed = Math.imul(first ^ (first >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13) ^ second, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/**
 * Distinct keys of every two adjacent code points within each of the texts,
 * which are folded already, and of a quarter of all runs of four. Which runs
 * depends on the run alone, so a text that holds a string holds all its keys;
 * the reverse is settled by a literal check. Most texts of a thousand
 * characters hold most of the common pairs: the runs tell them apart.
 */
export function gramsOf(...texts: readonly (string | null)[]): number[] {
  const keys = new Set<number>();
  for (const text of texts) {
    let last = -1;
    let pair: number | null = null;
    let before: number | null = null;
    let beforeThat: number | null = null;
    for (const character of text ?? '') {
      const current = character.codePointAt(0) ?? 0;
      if (last >= 0) {
        beforeThat = before;
        before = pair;
        pair = pairKey(last, current);
        keys.add(pair);
      }
      last = current;
      if (beforeThat === null || pair === null) continue;
      const run = runKey(beforeThat, pair);
      if ((run >>> 0) % RUN_SAMPLE === 0) keys.add(run);
    }
  }
  return [...keys];
}
