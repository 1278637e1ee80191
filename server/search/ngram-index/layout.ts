/** Messages whose keys are kept together, neighbours by id. */
export const BLOCK = 16;
/** So many that the number of a block within its segment is one byte. */
export const BLOCKS = 256;
/** Messages that are archived at once. */
export const SEGMENT = BLOCK * BLOCKS;

/** Of a key, these bits name its slice; the rest stand in the slice. */
export const SLICE_BITS = 14;
export const SUFFIX_BITS = 10;
export const KEY_BITS = SLICE_BITS + SUFFIX_BITS;

export function segmentOf(id: number): number {
  return Math.floor(id / SEGMENT);
}
