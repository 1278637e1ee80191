import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const SYSTEM = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'];
/** `.ci/run` unpacks what the system lacks. */
const UNPACKED = path.resolve('node_modules/.cache/debian/usr');
const FOLDERS = [...SYSTEM, `${UNPACKED}/bin`, `${UNPACKED}/sbin`];
const POSTGRES = '/usr/lib/postgresql';

/** Programs of Debian, with the package of each and how it tells its version. */
const PROGRAMS = {
  patroni: { package: 'patroni', version: ['--version'] },
  etcd: { package: 'etcd-server', version: ['--version'] },
  haproxy: { package: 'haproxy', version: ['-v'] },
  promtool: { package: 'prometheus', version: ['--version'] },
  w3m: { package: 'w3m', version: ['-version'] },
  lynx: { package: 'lynx', version: ['-version'] },
  apache2: { package: 'apache2-bin', version: ['-v'] },
  pg_ctlcluster: { package: 'postgresql-common', version: ['--version'] },
  pgbouncer: { package: 'pgbouncer', version: ['--version'] },
} as const;

type Name = keyof typeof PROGRAMS;

export type Programs = {
  pathOf(name: Name): string;
  postgres: string;
  versions: string[];
};

function fileOf(name: Name): string | null {
  const files = FOLDERS.map((folder) => path.join(folder, name));
  return files.find((one) => existsSync(one)) ?? null;
}

/** For tests that add to what is shown without the program. */
export function isInstalled(name: Name): boolean {
  return fileOf(name) !== null;
}

/** The environment in which an unpacked program finds its libraries. */
export function librariesEnv(): { LD_LIBRARY_PATH: string } {
  const folder = `${UNPACKED}/lib`;
  const all = existsSync(folder) ? readdirSync(folder) : [];
  const paths = all.map((machine) => path.join(folder, machine));
  return { LD_LIBRARY_PATH: paths.join(':') };
}

function missingPackages(packages: readonly string[]): Error {
  return new Error(
    `Packages of Debian are missing; run: apt-get install ${packages.join(' ')}`,
  );
}

/** @throws Error that names the package, where it is missing. */
export function programOf(name: Name): string {
  const file = fileOf(name);
  if (file === null) throw missingPackages([PROGRAMS[name].package]);
  return file;
}

/** Of Debian's packages. @throws Error that names each missing one. */
export function findPrograms(names: readonly Name[]): Programs {
  const found = new Map<Name, string>();
  const missing: string[] = [];
  for (const name of names) {
    const file = fileOf(name);
    if (file === null) missing.push(PROGRAMS[name].package);
    else found.set(name, file);
  }
  const postgres = newestPostgres();
  if (postgres === null) missing.push('postgresql');
  if (postgres === null || missing.length > 0) {
    throw missingPackages(missing);
  }
  const versionOf = ([name, file]: [Name, string]) =>
    firstLine(file, PROGRAMS[name].version);
  return {
    pathOf: (name) => found.get(name) ?? name,
    postgres,
    versions: [
      firstLine(path.join(postgres, 'postgres'), ['--version']),
      ...[...found].map(versionOf),
      `Node ${process.versions.node}`,
    ],
  };
}

function newestPostgres(): string | null {
  if (!existsSync(POSTGRES)) return null;
  const folders = readdirSync(POSTGRES)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => path.join(POSTGRES, version, 'bin'));
  return folders.find((bin) => existsSync(path.join(bin, 'initdb'))) ?? null;
}

function firstLine(file: string, line: readonly string[]): string {
  const text = execFileSync(file, line, { encoding: 'utf8' });
  return text.split('\n')[0]?.trim() ?? '';
}
