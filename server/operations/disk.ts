import { statfs } from 'node:fs/promises';

/** Below this a node is not ready. */
const MIN_FREE_BYTES = 500_000_000;
const MIN_FREE_SHARE = 0.05;

/** `share` of the file system. */
export type FreeDisk = { bytes: number; share: number };

/** Null where the system does not say. */
export async function freeDisk(folder: string): Promise<FreeDisk | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    const share = blocks === 0 ? 0 : bavail / blocks;
    return { bytes: bavail * bsize, share };
  } catch {
    return null;
  }
}

/** `/readyz` fails then. */
export function isLow({ bytes, share }: FreeDisk): boolean {
  return bytes < MIN_FREE_BYTES || share < MIN_FREE_SHARE;
}
