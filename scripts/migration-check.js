// Fails when entities and migrations describe different schemas.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'reserve-drift-'));
try {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      // The library's own comparison asks several at once of a connection;
      // the board never does.
      '--no-deprecation',
      '--import',
      'tsx',
      'node_modules/typeorm/cli.js',
      'migration:generate',
      'server/db/migrations/Check',
      '-d',
      'ormconfig.ts',
      '--check',
    ],
    { env: { ...process.env, DATA_DIR: dataDir }, encoding: 'utf8' },
  );
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = status ?? 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
