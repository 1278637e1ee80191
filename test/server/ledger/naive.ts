import { createHash } from 'node:crypto';

/** RFC 6962 by its definition, without any code of the board. */
export function naiveLeaf(leaf: string): Buffer {
  return createHash('sha256').update('\0').update(leaf).digest();
}

export function naiveRoot(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes;
  if (only === undefined) return createHash('sha256').digest();
  if (hashes.length === 1) return only;
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return createHash('sha256')
    .update('\x01')
    .update(naiveRoot(hashes.slice(0, split)))
    .update(naiveRoot(hashes.slice(split)))
    .digest();
}

/** A C2SP entry bundle: u16be length and bytes of each leaf. */
export function naiveBundle(leaves: readonly string[]): Buffer {
  const parts = leaves.flatMap((leaf) => {
    const bytes = Buffer.from(leaf, 'utf8');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat(parts);
}
