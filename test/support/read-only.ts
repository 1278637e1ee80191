import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type ReadOnly = {
  /** False for root where it may not mount: nothing else stops it. */
  holds: boolean;
  undo(): Promise<void>;
};

export async function readOnly(folder: string): Promise<ReadOnly> {
  if (process.getuid?.() !== 0) {
    await run('chmod', ['-R', 'a-w', folder]);
    const undo = async () => void (await run('chmod', ['-R', 'u+w', folder]));
    return { holds: true, undo };
  }
  try {
    await run('mount', ['--bind', folder, folder]);
  } catch {
    return { holds: false, undo: async () => {} };
  }
  await run('mount', ['-o', 'remount,bind,ro', folder]);
  return {
    holds: true,
    undo: async () => void (await run('umount', [folder])),
  };
}
