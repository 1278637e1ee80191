import { cp, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.js';
import type { RunAs } from './run.js';
import { assertReachable } from './run-as.js';

/**
 * The binaries where the server's user can run them. Root may have installed
 * the board in a folder that nobody else enters (a checkout below mktemp -d):
 * then a copy in the data folder is lent to that user.
 */
export async function lendBinaries(
  binaries: Binaries,
  dataRoot: string,
  as: RunAs,
): Promise<Binaries> {
  const closed = await assertReachable(as, Object.values(binaries)).then(
    () => false,
    () => true,
  );
  if (!closed) return binaries;
  const from = dirname(dirname(binaries.postgres));
  const to = join(dataRoot, 'postgres-binaries');
  await mkdir(to, { recursive: true, mode: 0o755 });
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
  const lent = (path: string) => join(to, 'bin', basename(path));
  return {
    initdb: lent(binaries.initdb),
    pgCtl: lent(binaries.pgCtl),
    postgres: lent(binaries.postgres),
  };
}
