import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isRoot, newAccount, type RunAs } from './account.js';
import { EmbeddedDatabaseError, quoted } from './error.js';
import { SHARED } from './layout.js';
import { asAccount, PATH } from './run.js';

const FIRST_CLOSED =
  'for p; do [ -x "$p" ] || { printf %s "$p"; exit 1; }; done';

/** Tried as that account: mode bits do not show ACLs. */
export function firstClosed(as: RunAs, paths: string[]): string | null {
  if (as === null) return null;
  const steps = [...new Set(paths.flatMap(ancestors))];
  const { status, stdout, error } = spawnSync(
    '/bin/sh',
    ['-c', FIRST_CLOSED, 'sh', ...steps],
    { cwd: '/', env: { PATH }, encoding: 'utf8', ...asAccount(as) },
  );
  if (status === 0) return null;
  if (status === 1) return stdout;
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root, and nothing can be run as the account ${as.name} here (${error?.message ?? 'killed'}); start the board as an ordinary user, or set DATABASE_URL.`,
  );
}

/** What keeps the account out; missing or root-owned parts will be opened. */
export function closedOnTheWay(as: RunAs, dataDir: string): string | null {
  const path = resolve(dataDir);
  let there = path;
  while (!existsSync(there)) there = dirname(there);
  const real = realpathSync(there);
  const willOpen = there === path && isOpened(real);
  return firstClosed(as, [willOpen ? dirname(real) : real]);
}

/** Root's own data folder, which is opened to the account. */
export function isOpened(folder: string): boolean {
  return isRoot() && statSync(folder).uid === 0 && folder !== homedir();
}

/** @throws EmbeddedDatabaseError with the fix. */
export function assertEnterable(as: RunAs, dataDir: string): void {
  if (as === null) return;
  const closed = closedOnTheWay(as, dataDir);
  if (closed === null) return;
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root, and its account ${as.name} cannot enter ${closed}; set DATA_DIR to a folder that it can enter, such as ${join(SHARED, 'board')} (moving there what the old one holds), let it in by chmod o+x ${quoted(closed)}, or start the board as an ordinary user.`,
  );
}

/** `TMPDIR`, or /tmp where the database's account could not enter it. */
export function temporaryFolder(): string {
  const folder = tmpdir();
  if (!isRoot()) return folder;
  return firstClosed(newAccount(), [folder]) === null ? folder : '/tmp';
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...ancestors(parent), path];
}
