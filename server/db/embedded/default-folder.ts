import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot, newAccount } from './account.js';
import { clusterOf, sharedFolderFor } from './layout.js';
import { closedOnTheWay } from './reach.js';

/** `./data`, unless root's database cannot live there (spec/board.md §16.1). */
export function defaultDataDir(external: boolean): string {
  return openFolder('./data', external);
}

/**
 * The folder itself, or the one in `/var/lib/reserve-board` that stands for it
 * where the account of root's database cannot enter it. One that holds a board
 * stays in use: rights that are changed later begin no other one.
 *
 * @param external no database of ours will lie in it
 */
export function openFolder(folder: string, external = false): string {
  if (!isRoot()) return folder;
  const shared = sharedFolderFor(folder);
  if (existsSync(clusterOf(folder))) return folder;
  if (external && hasSeed(folder)) return folder;
  if (existsSync(clusterOf(shared)) || hasSeed(shared)) return shared;
  return external || isEnterable(folder) ? folder : shared;
}

function hasSeed(folder: string): boolean {
  return existsSync(join(folder, 'board.seed'));
}

/** Where that cannot be asked the start says why. */
function isEnterable(folder: string): boolean {
  try {
    return closedOnTheWay(newAccount(), folder) === null;
  } catch {
    return true;
  }
}
