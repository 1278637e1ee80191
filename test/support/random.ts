/** Numbers in [0, 1) that a printed seed brings back (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `SEED`, or one that is told so that a failure can be run again. */
export function chosenSeed(): number {
  const given = Number(process.env.SEED ?? Number.NaN);
  const seed = Number.isSafeInteger(given) ? given : Date.now() % 1_000_000;
  console.log(`      SEED=${seed}`);
  return seed;
}
