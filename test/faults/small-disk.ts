import { execFile } from 'node:child_process';
import { chmod, mkdtemp, open, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PIECE = Buffer.alloc(1024 * 1024);

export type SmallDisk = {
  folder: string;
  /** @param leaving bytes that stay free. */
  fill(leaving?: number): Promise<void>;
  empty(): Promise<void>;
  remove(): Promise<void>;
};

/** Mounts one; null where this process may not mount. */
export async function smallDisk(megabytes: number): Promise<SmallDisk | null> {
  const folder = await mkdtemp(path.join(tmpdir(), 'reserve-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`];
  try {
    await run('mount', [...options, 'tmpfs', folder]);
  } catch {
    await rm(folder, { recursive: true });
    return null;
  }
  await chmod(folder, 0o711);
  const filler = path.join(folder, 'filler');
  return {
    folder,
    fill: async (leaving = 0) => {
      await fillUp(filler);
      const { size } = await stat(filler);
      await truncate(filler, Math.max(0, size - leaving));
    },
    empty: () => rm(filler, { force: true }),
    remove: async () => {
      await run('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function fillUp(name: string): Promise<void> {
  const file = await open(name, 'a');
  let size = PIECE.length;
  try {
    while (size >= 4096) {
      try {
        await file.write(PIECE, 0, size);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        size /= 2;
      }
    }
  } finally {
    await file.close();
  }
}
