/** Neighbouring messages whose keys are stored together. */
export const BLOCK = 16;
/** A block's number in its segment is one byte. */
export const BLOCKS = 256;
export const SEGMENT = BLOCK * BLOCKS;

/** The key's bits that select its slice; the slice stores the rest. */
const SLICE_BITS = 14;
export const SUFFIX_BITS = 10;
export const KEY_BITS = SLICE_BITS + SUFFIX_BITS;

export function segmentOf(id: number): number {
  return Math.floor(id / SEGMENT);
}

const BYTE_BITS = 8;
const BITMAP_BYTES = BLOCKS / BYTE_BITS;
const HEADER_BYTES = 2;
/** A header: the key's suffix, then the number of blocks. */
const COUNT_BITS = 6;
const COUNT_MASK = (1 << COUNT_BITS) - 1;
/** More blocks are stored as a bitmap. */
const MOST_NUMBERS = BITMAP_BYTES - 1;
const BITMAP = COUNT_MASK;

export const SUFFIX_MASK = (1 << SUFFIX_BITS) - 1;

/** One bit per block of a segment. */
export type Blocks = Uint8Array;

export function allBlocks(): Blocks {
  return new Uint8Array(BITMAP_BYTES).fill(0xff);
}

/** Intersects in place; false: none is left. */
export function narrow(blocks: Blocks, other: Blocks): boolean {
  let any = 0;
  for (let at = 0; at < BITMAP_BYTES; at += 1) {
    const both = (blocks[at] ?? 0) & (other[at] ?? 0);
    blocks[at] = both;
    any |= both;
  }
  return any !== 0;
}

/** Highest first. */
export function numbersOf(blocks: Blocks): number[] {
  const numbers: number[] = [];
  for (let block = BLOCKS - 1; block >= 0; block -= 1) {
    const byte = blocks[block >>> 3] ?? 0;
    if (byte & (1 << (block & 7))) numbers.push(block);
  }
  return numbers;
}

/**
 * Per suffix, ascending: header and block numbers, or a bitmap. `pairs` are
 * `suffix << 8 | block`, ascending, each once; bits above the suffix are
 * ignored.
 */
export function encodeSlice(pairs: Uint32Array): Buffer {
  const out = Buffer.alloc(pairs.length * (HEADER_BYTES + 1));
  let end = 0;
  for (let from = 0; from < pairs.length; ) {
    const suffix = ((pairs[from] ?? 0) >>> BYTE_BITS) & SUFFIX_MASK;
    let to = from + 1;
    while (
      to < pairs.length &&
      (((pairs[to] ?? 0) >>> BYTE_BITS) & SUFFIX_MASK) === suffix
    ) {
      to += 1;
    }
    const isList = to - from <= MOST_NUMBERS;
    const count = isList ? to - from : BITMAP;
    out.writeUInt16LE((suffix << COUNT_BITS) | count, end);
    end += HEADER_BYTES;
    for (let at = from; at < to; at += 1) {
      const block = (pairs[at] ?? 0) & (BLOCKS - 1);
      if (isList) out[end + at - from] = block;
      else
        out[end + (block >>> 3)] =
          (out[end + (block >>> 3)] ?? 0) | (1 << (block & 7));
    }
    end += isList ? to - from : BITMAP_BYTES;
    from = to;
  }
  return out.subarray(0, end);
}

export function blocksIn(slice: Uint8Array, suffix: number): Blocks | null {
  for (let at = 0; at + 1 < slice.length; ) {
    const header = (slice[at] ?? 0) | ((slice[at + 1] ?? 0) << BYTE_BITS);
    const count = header & COUNT_MASK;
    const bytes = count === BITMAP ? BITMAP_BYTES : count;
    at += HEADER_BYTES;
    if (header >>> COUNT_BITS === suffix) {
      const data = slice.subarray(at, at + bytes);
      if (count === BITMAP) return data;
      const blocks = new Uint8Array(BITMAP_BYTES);
      for (const block of data) {
        blocks[block >>> 3] = (blocks[block >>> 3] ?? 0) | (1 << (block & 7));
      }
      return blocks;
    }
    at += bytes;
  }
  return null;
}
