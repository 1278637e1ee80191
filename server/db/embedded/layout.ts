import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export const MAJOR = '18';

/** Where root keeps what the account of its database has to reach. */
export const SHARED = '/var/lib/reserve-board';

const LONGEST_NAME = 40; // a socket below it has a path of 107 bytes at most

/** The cluster of a data folder. */
export function clusterOf(dataDir: string): string {
  return join(dataDir, `pg${MAJOR}`);
}

/**
 * The folder in {@link SHARED} that stands for `folder`, which is closed:
 * `<name>-<8 hex>` of the real path of the folder that it would lie in, the
 * checkout for `./data` (spec/board.md §16.1).
 */
export function sharedFolderFor(folder: string): string {
  const above = realpathSync(dirname(resolve(folder)));
  const name = basename(above)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '');
  const id = createHash('sha256').update(above).digest('hex').slice(0, 8);
  return join(SHARED, `${name || 'board'}-${id}`);
}
