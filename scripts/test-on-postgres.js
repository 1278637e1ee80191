// Runs the tests that lean on the database on an installed PostgreSQL
// (Debian's 15 unless a folder of binaries is named) instead of the embedded
// one, on a cluster made and removed here. Where none is installed it says so.
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import '@oxc-node/core/register';

const { temporaryFolder } = await import('../server/db/embedded/reach.ts');

const bin = process.argv[2] ?? '/usr/lib/postgresql/15/bin';
if (!existsSync(path.join(bin, 'initdb'))) {
  console.log(`no PostgreSQL in ${bin}: nothing to test on`);
  process.exit(0);
}
const folder = mkdtempSync(path.join(temporaryFolder(), 'pg-'));
const isRoot = process.getuid?.() === 0;
const nobody = isRoot
  ? Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }))
  : undefined;
if (nobody !== undefined) chownSync(folder, nobody, nobody);

function pg(command, args) {
  execFileSync(path.join(bin, command), args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: folder,
    ...(nobody === undefined ? {} : { uid: nobody }),
  });
}

const data = path.join(folder, 'data');
const settings = `-c max_connections=200 -c listen_addresses='' -c unix_socket_directories=${folder}`;
pg('initdb', ['-D', data, '-U', 'board', '-A', 'trust', '-E', 'UTF8', '-N']);
pg('pg_ctl', ['-D', data, '-w', '-o', settings, '-l', `${data}/log`, 'start']);
try {
  const socket = encodeURIComponent(folder);
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/mocha/bin/mocha.js',
      '--no-config',
      '--exit',
      '--import=@oxc-node/core/register',
      '--require=test/support/global.ts',
      '--reporter=./test/support/reporter.cjs',
      '--timeout=300000',
      'test/server/{db,ledger,posting,reading,votes,polls,operations}/**/*.test.ts',
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        TEST_DATABASE_URL: `postgresql://board@localhost/postgres?host=${socket}`,
      },
    },
  );
  process.exitCode = status ?? 1;
} finally {
  pg('pg_ctl', ['-D', data, '-w', '-m', 'fast', 'stop']);
  rmSync(folder, { recursive: true, force: true });
}
