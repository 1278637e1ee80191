import { setImmediate as yieldLoop } from 'node:timers/promises';
import { eachKey } from './keys.js';
import { encodeSlice, KEY_BITS, SUFFIX_BITS } from './slice.js';

const FIRST_ROOM = 1 << 20;
const BLOCK_BITS = 8;
const PARTS_BITS = 8;
const PARTS = 1 << PARTS_BITS;
/** Higher bits of a pair name its part. */
const PART_SHIFT = KEY_BITS + BLOCK_BITS - PARTS_BITS;
const SLICE_SHIFT = SUFFIX_BITS + BLOCK_BITS;

export type Slice = { slice: number; data: Buffer };

/** In steps of few milliseconds: requests run in between. */
export class SegmentKeys {
  /** `key << 8 | block`. */
  private pairs = new Uint32Array(FIRST_ROOM);
  private size = 0;
  private readonly seen = new Uint32Array(1 << (KEY_BITS - 5));

  /** @param texts folded; all of the block */
  addBlock(block: number, texts: readonly string[]): void {
    const from = this.size;
    for (const text of texts) {
      eachKey(text, (key) => {
        const word = this.seen[key >>> 5] ?? 0;
        const bit = 1 << (key & 31);
        if (word & bit) return;
        this.seen[key >>> 5] = word | bit;
        this.push(((key << BLOCK_BITS) | block) >>> 0);
      });
    }
    for (let at = from; at < this.size; at += 1) {
      this.seen[(this.pairs[at] ?? 0) >>> (BLOCK_BITS + 5)] = 0;
    }
  }

  private push(pair: number): void {
    if (this.size === this.pairs.length) {
      const larger = new Uint32Array(this.size * 2);
      larger.set(this.pairs);
      this.pairs = larger;
    }
    this.pairs[this.size] = pair;
    this.size += 1;
  }

  /** In order, several per portion; empty ones are left out. */
  async *slices(): AsyncGenerator<Slice[]> {
    const { sorted, starts } = this.parted();
    for (let part = 0; part < PARTS; part += 1) {
      await yieldLoop();
      yield slicesOf(sorted.subarray(starts[part], starts[part + 1]).sort());
    }
  }

  private parted(): { sorted: Uint32Array; starts: Uint32Array } {
    const pairs = this.pairs.subarray(0, this.size);
    const starts = new Uint32Array(PARTS + 1);
    for (const pair of pairs) {
      const next = (pair >>> PART_SHIFT) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let part = 0; part < PARTS; part += 1) {
      starts[part + 1] = (starts[part + 1] ?? 0) + (starts[part] ?? 0);
    }
    const ends = starts.slice();
    const sorted = new Uint32Array(this.size);
    for (const pair of pairs) {
      const part = pair >>> PART_SHIFT;
      const at = ends[part] ?? 0;
      sorted[at] = pair;
      ends[part] = at + 1;
    }
    return { sorted, starts };
  }
}

function slicesOf(pairs: Uint32Array): Slice[] {
  const slices: Slice[] = [];
  for (let from = 0; from < pairs.length; ) {
    const slice = (pairs[from] ?? 0) >>> SLICE_SHIFT;
    let to = from + 1;
    while (to < pairs.length && (pairs[to] ?? 0) >>> SLICE_SHIFT === slice) {
      to += 1;
    }
    slices.push({ slice, data: encodeSlice(pairs.subarray(from, to)) });
    from = to;
  }
  return slices;
}
