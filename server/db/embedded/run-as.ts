import { lstat, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedDatabaseError } from './error.js';
import { type RunAs, run } from './run.js';

/**
 * PostgreSQL refuses to run as root. Root lends it to the owner of the
 * existing cluster, or to `nobody`.
 */
export async function chooseRunAs(clusterDir: string): Promise<RunAs> {
  const me = process.getuid?.() ?? 0;
  const cluster = await lstat(clusterDir).catch(() => null);
  if (me !== 0) {
    if (cluster === null || cluster.uid === me) return null;
    throw new EmbeddedDatabaseError(
      `The database folder ${clusterDir} belongs to the user with the id ${cluster.uid}: start as that user, or set another DATA_DIR.`,
    );
  }
  if (cluster === null) return nobody();
  if (cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid };
  throw new EmbeddedDatabaseError(
    `The database folder ${clusterDir} belongs to root, and PostgreSQL does not run as root: give it to an ordinary user (chown -R nobody), or set another DATA_DIR.`,
  );
}

async function nobody(): Promise<RunAs> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(passwd);
  if (fields === null) {
    throw new EmbeddedDatabaseError(
      'PostgreSQL does not run as root and this system has no user `nobody`: start the board as an ordinary user, or set DATABASE_URL.',
    );
  }
  // macOS writes -2; chown wants it unsigned, spawn signed (see run.ts)
  return { uid: Number(fields[1]) >>> 0, gid: Number(fields[2]) >>> 0 };
}

const FIRST_CLOSED =
  'for p; do [ -x "$p" ] || { printf %s "$p"; exit 1; }; done';

/** Asks the system itself, as that user: mode bits would not show ACLs. */
export async function assertReachable(as: RunAs, paths: string[]) {
  if (as === null) return;
  const steps = [...new Set(paths.flatMap(ancestors))];
  const { code, output } = await run(
    '/bin/sh',
    ['-c', FIRST_CLOSED, 'sh', ...steps],
    { as },
  );
  if (code === 0) return;
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root, and the unprivileged user ${as.uid} it runs as cannot enter ${output}: set DATA_DIR (and install the board) where other users can enter, or start it as an ordinary user.`,
  );
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...ancestors(parent), path];
}
