import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfAway } from '../files.js';
import type { RunAs } from './account.js';
import type { Binaries } from './binaries.js';
import { EmbeddedDatabaseError } from './error.js';
import { makePrivate, placeOnce } from './folders.js';
import { MAJOR } from './layout.js';
import { lastWord, run } from './run.js';

/** The bootstrap superuser; the board itself works as an ordinary role. */
export const ADMIN = 'postgres';

/** The same bytes and the same order of text on every system. */
const INITDB = [
  `--username=${ADMIN}`,
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--data-checksums',
  '--auth-local=peer',
  '--auth-host=reject',
  '--no-instructions',
];

export async function clusterExists(clusterDir: string): Promise<boolean> {
  const version = await versionOf(clusterDir);
  if (version === null || version === MAJOR) return version !== null;
  throw otherVersion(clusterDir, version);
}

/**
 * A new database beside one of another version would start an empty board.
 * @throws EmbeddedDatabaseError where there is such a one
 */
export async function assertNoOtherVersion(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => []);
  for (const name of names.filter((one) => /^pg\d{1,3}$/.test(one))) {
    const version = await versionOf(join(dataDir, name));
    if (version !== null) throw otherVersion(join(dataDir, name), version);
  }
}

async function versionOf(clusterDir: string): Promise<string | null> {
  const path = join(clusterDir, 'PG_VERSION');
  const text = await readFile(path, 'utf8').catch(nullIfAway);
  return text?.trim() ?? null;
}

function otherVersion(clusterDir: string, version: string) {
  return new EmbeddedDatabaseError(
    `${clusterDir} holds a PostgreSQL ${version} database, not ${MAJOR}; start the release of the board that made it, run its "backup", and "restore" that into a new DATA_DIR.`,
  );
}

export async function systemIdOf(clusterDir: string): Promise<string | null> {
  const path = join(clusterDir, 'global', 'pg_control');
  const control = await readFile(path).catch(nullIfAway);
  // The first member of PostgreSQL's ControlFileData, in every version.
  return control?.subarray(0, 8).toString('hex') ?? null;
}

/**
 * Another process may make it first. Not `--no-sync` (which saves 50-150 ms): a
 * power cut could take files that no checkpoint syncs.
 */
export async function createCluster(
  clusterDir: string,
  binaries: Binaries,
  as: RunAs,
  underWay?: () => void,
): Promise<void> {
  const placed = await placeOnce(clusterDir, async (draft) => {
    await makePrivate(draft, as);
    const { code, output } = await run(binaries.initdb, INITDB, {
      as,
      clusterDir: draft,
      ...(underWay && { underWay }),
    });
    if (code !== 0) {
      const isFull = /No space left on device/.test(output);
      throw new EmbeddedDatabaseError(
        isFull
          ? `The disk of ${clusterDir} is full; make room and start again.`
          : `initdb failed: ${lastWord(output)}`,
      );
    }
  }).catch(async (error: unknown) => {
    // Another process was first, and has removed this draft.
    if (await clusterExists(clusterDir)) return false;
    throw error;
  });
  if (placed || (await clusterExists(clusterDir))) return;
  throw new EmbeddedDatabaseError(
    `${clusterDir} is in the way: it is not empty and holds no database; move it away, or set another DATA_DIR.`,
  );
}
