import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../server/db/embedded/reach.js';
import { migrations } from '../../../server/db/migrations/index.js';
import { connectionProblem } from '../../../server/db/problem.js';
import { createDatabase } from '../../support/cluster.js';

function typeorm(command: string, env: Record<string, string>): string {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['run', '-s', 'typeorm', '--', command],
    { env: { ...process.env, ...env }, encoding: 'utf8' },
  );
  expect(status, `${stdout}${stderr}`).to.equal(0);
  return stdout;
}

const marks = (text: string) =>
  [...text.matchAll(/^\[([ X])\]/gm)].map(([, m]) => m);

function showsRunsAndReverts(env: Record<string, string>, isNew: boolean) {
  const count = migrations.length;
  const all = Array<string>(count).fill('X');
  if (isNew) {
    const none = Array<string>(count).fill(' ');
    expect(marks(typeorm('migration:show', env))).to.deep.equal(none);
    typeorm('migration:run', env);
  }
  typeorm('migration:revert', env);
  const lacking = [...all.slice(1), ' '];
  expect(marks(typeorm('migration:show', env))).to.deep.equal(lacking);
  typeorm('migration:run', env);
  expect(marks(typeorm('migration:show', env))).to.deep.equal(all);
}

describe('ormconfig.ts', () => {
  it('shows, runs and reverts migrations of an embedded database', () => {
    const folder = mkdtempSync(join(temporaryFolder(), 'reserve-orm-'));
    chmodSync(folder, 0o711);
    try {
      const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: '' };
      showsRunsAndReverts(env, true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('does so on another server', async () => {
    const { url, drop } = await createDatabase();
    try {
      showsRunsAndReverts({ DATABASE_URL: url }, false);
    } finally {
      await drop();
    }
  });
});

describe('what keeps a node from its database', () => {
  const noTls = new Error('The server does not support SSL connections');
  const refused = Object.assign(new Error('no'), { code: '28P01' });
  const said = (error: Error, env: Record<string, string>) =>
    String((connectionProblem(error, env) as Error).message);

  it('is named with the variables that DATABASE_URL leaves to them', () => {
    const DATABASE_URL = 'postgresql://board@db.example/board';
    for (const [error, env, names] of [
      [noTls, { PGSSLMODE: 'require' }, 'PGSSLMODE'],
      [noTls, { PGSSLMODE: 'verify-full', PGPORT: '1' }, 'PGSSLMODE, PGPORT'],
      [refused, { PGPASSWORD: 'x' }, 'PGPASSWORD'],
      [refused, { PGHOST: 'y', PGOPTIONS: '-c a=b' }, 'PGOPTIONS'],
      [
        new Error('unrecognized configuration parameter "nowhere.x"'),
        { PGOPTIONS: '-c nowhere.x=1' },
        'PGOPTIONS',
      ],
    ] as const) {
      const text = said(error, { DATABASE_URL, ...env });
      for (const name of names.split(', ')) expect(text).to.include(name);
      expect(text).not.to.include('PGHOST');
    }
  });

  it('is not laid on variables that do not count', () => {
    const PGSSLMODE = 'require';
    for (const DATABASE_URL of [
      'postgresql://board:x@db.example:5432/board?sslmode=prefer',
      '',
    ]) {
      const text = said(noTls, { DATABASE_URL, PGSSLMODE });
      expect(text).to.include('takes no TLS').and.not.include('PGSSLMODE');
    }
  });
});
