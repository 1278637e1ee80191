// Fails when entities and migrations describe different schemas.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import '@oxc-node/core/register';

const { temporaryFolder } = await import('../server/db/embedded/reach.ts');

const dataDir = mkdtempSync(path.join(temporaryFolder(), 'reserve-drift-'));
try {
  const typeorm = (...command) =>
    spawnSync(
      process.execPath,
      [
        // The library's own comparison asks several at once of a connection;
        // the board never does.
        '--no-deprecation',
        '--import',
        '@oxc-node/core/register',
        'node_modules/typeorm/cli.js',
        ...command,
        '-d',
        'ormconfig.ts',
      ],
      { env: { ...process.env, DATA_DIR: dataDir }, encoding: 'utf8' },
    );
  const migrated = typeorm('migration:run');
  const { status, stdout, stderr } =
    migrated.status === 0
      ? typeorm('migration:generate', 'server/db/migrations/Check', '--check')
      : migrated;
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = status ?? 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
