/** Values that the last part of a key can have. */
const LAST = 128;
const SPACE = 32;
const WHITE = new Set([9, 10, 13, SPACE]);

/**
 * The key of three adjacent code points, as SQL's `search_grams` makes it.
 * Words are what texts are told apart by: where one ends and the next begins,
 * that end and that beginning are kept by themselves.
 */
function keyOf(first: number, second: number, last: number): number {
  const between = first === SPACE || second === SPACE;
  const rest = between ? 0 : last & (LAST - 1);
  return ((first & 32767) << 17) ^ (second << 7) ^ rest;
}

/** The code points of a text, all white space of ASCII as a space. */
function pointsOf(text: string): number[] {
  return Array.from(text, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return WHITE.has(point) ? SPACE : point;
  });
}

/** Distinct keys that every text with this folded part has. */
export function triplesOf(text: string): number[] {
  const points = pointsOf(text);
  const keys = new Set<number>();
  for (let at = 0; at + 1 < points.length; at += 1) {
    const [first = 0, second = 0, last] = points.slice(at, at + 3);
    if (last !== undefined || first === SPACE || second === SPACE) {
      keys.add(keyOf(first, second, last ?? 0));
    }
  }
  return [...keys];
}

/** What rows of the index a folded text can be in. */
export type Wanted = {
  /** `@>`: those that hold all keys. `&&`: those that hold one of them. */
  operator: '@>' | '&&';
  keys: number[];
};

/**
 * A text that holds a string holds all of its keys, and of two code points of
 * a word one of the keys that begin with them; the reverse is settled by a
 * literal check. The keys are stored in an index: another choice of keys needs
 * a migration.
 */
export function wantedTriples(text: string): Wanted {
  const keys = triplesOf(text);
  if (keys.length > 0) return { operator: '@>', keys };
  const [first = 0, second = 0] = pointsOf(text);
  const any = Array.from({ length: LAST }, (_, n) => keyOf(first, second, n));
  return { operator: '&&', keys: any };
}
