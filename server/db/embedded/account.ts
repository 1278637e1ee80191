import { lstatSync, readFileSync } from 'node:fs';
import { EmbeddedDatabaseError, quoted } from './error.js';

/** Null: the account of this process. */
export type RunAs = { name: string; uid: number; gid: number } | null;
type Account = NonNullable<RunAs>;

/** Other programs run as it too and could use the database. */
export const NOBODY = 'nobody';
/** For a new database under root: the first that exists. */
const PREFERRED = ['reserve-board', 'postgres', NOBODY];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * PostgreSQL refuses to run as root (spec/board.md §16.1).
 * @throws EmbeddedDatabaseError where no account may run this cluster.
 */
export function accountFor(clusterDir: string): RunAs {
  const owner = ownerOf(clusterDir);
  if (!isRoot()) {
    if (owner === null || owner.uid === process.getuid?.()) return null;
    throw new EmbeddedDatabaseError(
      `The database folder ${clusterDir} belongs to the account ${owner.name}; start as that account, or set another DATA_DIR.`,
    );
  }
  if (owner === null) return newAccount();
  if (owner.uid !== 0) return owner;
  throw new EmbeddedDatabaseError(
    `The database folder ${clusterDir} belongs to root, and PostgreSQL does not run as root; run chown -R ${newAccount().name} ${quoted(clusterDir)}, or set another DATA_DIR.`,
  );
}

export function newAccount(): Account {
  const all = accounts();
  for (const name of PREFERRED) {
    const found = all.find((one) => one.name === name && one.uid !== 0);
    if (found !== undefined) return found;
  }
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root, and this system has none of the accounts ${PREFERRED.join(', ')}; run useradd --system reserve-board, start the board as an ordinary user, or set DATABASE_URL.`,
  );
}

function ownerOf(clusterDir: string): Account | null {
  try {
    const { uid, gid } = lstatSync(clusterDir);
    const name = accounts().find((one) => one.uid === uid)?.name;
    return { name: name ?? `with the id ${uid}`, uid, gid };
  } catch {
    return null;
  }
}

function accounts(): Account[] {
  let passwd = '';
  try {
    passwd = readFileSync('/etc/passwd', 'utf8');
  } catch {
    // a system without the file has no account in it
  }
  const lines = passwd.matchAll(
    /(?<![^\n])([^:\n]+):[^:\n]*:(-?\d+):(-?\d+):/g,
  );
  // macOS writes -2; chown wants it unsigned, spawn signed (see run.ts)
  return [...lines].map(([, name = '', uid, gid]) => ({
    name,
    uid: Number(uid) >>> 0,
    gid: Number(gid) >>> 0,
  }));
}
