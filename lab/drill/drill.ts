import { readdir, readFile, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startCluster, stopCluster } from '../../test/support/cluster.js';
import { familyOf, signalAll } from '../../test/support/daemon.js';
import { runFolder, useRunFolder } from '../../test/support/run-folder.js';

/** A number of the command line by its name; the seed is by the time of day. */
export function options<Name extends string>(
  name: Name,
  otherwise: number,
): Record<Name | 'seed', number> {
  const { values } = parseArgs({
    options: { [name]: { type: 'string' }, seed: { type: 'string' } },
  });
  const { [name]: given = otherwise, seed = Date.now() % 1_000_000 } = values;
  return { [name]: Number(given), seed: Number(seed) } as Record<
    Name | 'seed',
    number
  >;
}

/** Runs a drill beside a PostgreSQL of the tests, in a folder of its own. */
export async function drill(work: () => Promise<void>): Promise<void> {
  await startCluster();
  useRunFolder();
  endAllBySignal();
  try {
    await work();
  } finally {
    await stopCluster();
  }
}

/**
 * A signal that ends a drill ends all that it started, too: the processes below
 * it, and those that left them and work in the folder of the run, as servers of
 * PostgreSQL do.
 */
export function endAllBySignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void endAll().finally(() => process.exit(1));
    });
  }
}

async function endAll(): Promise<void> {
  const folder = runFolder();
  const roots = [process.pid, ...(await workersIn(folder))];
  const families = await Promise.all(roots.map(familyOf));
  const all = new Set(families.flat());
  all.delete(process.pid);
  signalAll([...all], 'SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Processes that name the folder where they are started. */
async function workersIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, n) => lines[n]?.includes(`${folder}/`));
}
