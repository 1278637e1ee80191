import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from './error.js';

const HOUR = 3_600_000;

/**
 * Makes a folder under a name of its own and moves it into place in one step: a
 * crash leaves nothing half made, and of several processes one wins.
 *
 * @returns false where another folder is in its place; that one stays.
 */
export async function placeOnce(
  to: string,
  make: (draft: string) => Promise<void>,
): Promise<boolean> {
  const above = dirname(to);
  const draft = join(above, `init-${randomUUID()}`);
  const placed = await make(draft)
    .then(() => moved(draft, to))
    .catch(async (error: unknown) => {
      await rm(draft, { recursive: true, force: true });
      throw error;
    });
  if (placed) await syncFolder(above);
  else await rm(draft, { recursive: true, force: true });
  await removeOldDrafts(above);
  return placed;
}

async function moved(draft: string, to: string): Promise<boolean> {
  try {
    await rename(draft, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Drafts of processes that were killed; a young one may be in the making. */
async function removeOldDrafts(above: string): Promise<void> {
  for (const name of await readdir(above)) {
    if (!/^init-[0-9a-f-]{36}$/.test(name)) continue;
    const path = join(above, name);
    const found = await stat(path).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < HOUR) continue;
    await rm(path, { recursive: true, force: true });
  }
}
