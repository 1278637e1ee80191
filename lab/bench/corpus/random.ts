/** Numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** The numbers of one thing `n` of one seed, whatever was drawn before. */
export function randomOf(seed: number, n: number): Random {
  let state =
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(n, 0xc2b2ae35);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** An integer from 0 up to, and without, `below`. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

export function pick<T>(random: Random, of: readonly T[]): T {
  const one = of[below(random, of.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
}

/** A rank from 0, each about as often as Zipf's law says. */
export function rank(random: Random, of: number): number {
  return Math.floor((of + 1) ** random()) - 1;
}

export function bytesOf(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => below(random, 256)));
}

export function uuidOf(random: Random): string {
  const bytes = bytesOf(random, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
