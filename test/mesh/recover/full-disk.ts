import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { smallDisk } from '../../faults/small-disk.js';
import type { LostBoard } from './lost-board.js';

const MEGABYTES = 400;

/**
 * Runs a command of recovery on a disk that has `leaving` bytes left, makes
 * room, and runs it again. Returns whether it failed for want of room; null
 * where this process may not mount a disk. The board is stopped, and its seed
 * in its data folder.
 */
export async function onFullDisk(
  lost: LostBoard,
  args: readonly string[],
  leaving: number,
): Promise<boolean | null> {
  const disk = await smallDisk(MEGABYTES);
  if (disk === null) return null;
  try {
    const dataDir = path.join(disk.folder, 'data');
    await mkdir(dataDir);
    const seed = 'board.seed';
    await cp(path.join(lost.dataDir, seed), path.join(dataDir, seed));
    const env = { DATA_DIR: dataDir };
    const made = await lost.tried(['migrate'], env);
    expect(made.code, made.stderr).to.equal(0);
    await disk.fill(leaving);
    const first = await lost.tried(args, env);
    await disk.empty();
    const isFull = first.code !== 0;
    if (isFull) {
      expect(first.stderr).to.match(/^reserve-board: [^\n]*(disk|space)/m);
      expect(first.stderr).not.to.match(/\n\s+at /);
      const again = await lost.tried(args, env);
      expect(again.code, again.stderr).to.equal(0);
    }
    const { stdout } = await lost.tried(['doctor'], env);
    expect(stdout).to.match(/^ok +ledger/m);
    return isFull;
  } finally {
    await disk.remove();
  }
}
