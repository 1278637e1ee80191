import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import { codeOf, EmbeddedDatabaseError } from './error.js';
import { makePrivate } from './folders.js';
import { lastWord } from './last-word.js';
import type { RunAs } from './run.js';
import { run } from './run.js';

export const MAJOR = '18';
/** The bootstrap superuser; the board itself works as an ordinary role. */
export const ADMIN = 'postgres';
const HOUR = 3_600_000;

/** The same bytes and the same order of text on every system. */
const INITDB = [
  `--username=${ADMIN}`,
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--data-checksums',
  '--auth-local=trust',
  '--auth-host=reject',
  '--no-instructions',
];

export async function clusterExists(clusterDir: string): Promise<boolean> {
  const path = join(clusterDir, 'PG_VERSION');
  const version = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (version === null || version.trim() === MAJOR) return version !== null;
  throw new EmbeddedDatabaseError(
    `${clusterDir} holds a PostgreSQL ${version.trim()} database, not ${MAJOR}.`,
  );
}

/** What tells a cluster from every other; null where there is none. */
export async function systemIdOf(clusterDir: string): Promise<string | null> {
  const path = join(clusterDir, 'global', 'pg_control');
  const control = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  // The first member of PostgreSQL's ControlFileData, in every version.
  return control?.subarray(0, 8).toString('hex') ?? null;
}

/**
 * Makes the cluster under a name of its own and moves it into place in one
 * step: a crash leaves nothing half made, and of two processes one wins.
 *
 * @NOTE not `--no-sync`: a checkpoint only syncs pages dirtied since, so a
 * power cut could take the files initdb wrote (saves 50-150 ms).
 */
export async function createCluster(
  dataRoot: string,
  clusterDir: string,
  binaries: Binaries,
  as: RunAs,
  underWay?: () => void,
): Promise<void> {
  const draft = join(dataRoot, `init-${randomUUID()}`);
  try {
    await makePrivate(draft, as);
    const { code, output } = await run(binaries.initdb, INITDB, {
      as,
      clusterDir: draft,
      ...(underWay && { underWay }),
    });
    if (code !== 0) {
      throw new EmbeddedDatabaseError(`initdb failed: ${lastWord(output)}`);
    }
    await rename(draft, clusterDir);
    await syncFolder(dataRoot);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const lost = ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '');
    if (!lost) throw error;
    if (!(await clusterExists(clusterDir))) {
      throw new EmbeddedDatabaseError(
        `${clusterDir} is in the way: it is not empty and holds no database.`,
      );
    }
  }
  await removeOldDrafts(dataRoot);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Drafts of processes that were killed; a young one may be in the making. */
async function removeOldDrafts(dataRoot: string): Promise<void> {
  for (const name of await readdir(dataRoot)) {
    if (!/^init-[0-9a-f-]{36}$/.test(name)) continue;
    const path = join(dataRoot, name);
    const found = await stat(path).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < HOUR) continue;
    await rm(path, { recursive: true, force: true });
  }
}
