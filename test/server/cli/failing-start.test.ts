import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { freePort } from '../../support/free-port.js';
import { command, type Environment } from './command.js';
import { givenHome } from './home.js';

const SECRET = 'hunter2';

type Failing = {
  title: string;
  env?: Environment;
  /** What lies in the data folder, or in its place. */
  make?: (dataDir: string) => Promise<unknown>;
  says: RegExp;
};

const within = (name: string) => (dataDir: string) =>
  mkdir(path.join(dataDir, name), { recursive: true });

const BROKEN: Failing[] = [
  {
    title: 'an address that is none, and shows nothing of it',
    env: { DATABASE_URL: `postgres://u:${SECRET}#x@127.0.0.1:1/x` },
    says: /percent-encoded \(# is %23\) \(ERR_INVALID_URL\)/,
  },
  {
    title: 'a certificate that is missing',
    env: {
      DATABASE_URL: `postgres://u:${SECRET}@127.0.0.1:1/x?sslrootcert=/no/ca.pem`,
    },
    says: /\/no\/ca\.pem does not exist/,
  },
  {
    title: 'the nearest name of a limit',
    env: { BOARD_LIMITS: '{"topics_per_sorce_hour":3}' },
    says: /topics_per_sorce_hour; did you mean topics_per_source_hour\?/,
  },
  {
    title: 'the nearest name of a setting',
    env: { BOARD_TITEL: 'x' },
    says: /BOARD_TITEL is not a setting.*did you mean BOARD_TITLE\?/,
  },
  {
    title: 'a path of two lines',
    env: { DATA_DIR: './a\nb' },
    says: /DATA_DIR must be one line/,
  },
  {
    title: 'a path that is too long',
    env: { DATA_DIR: `./${'a'.repeat(300)}` },
    says: /is too long; name a shorter one/,
  },
  {
    title: 'a data folder that is a file',
    make: (dataDir) => writeFile(dataDir, 'x'),
    says: /is not a folder; set DATA_DIR/,
  },
  {
    title: 'a data folder that is a link to itself',
    make: (dataDir) => symlink(dataDir, dataDir),
    says: /is a link that leads back to itself/,
  },
  {
    title: 'a folder in the place of the seed',
    make: within('board.seed'),
    says: /board\.seed is in the way: the board needs a file/,
  },
  {
    title: 'a folder in the place of the log of PostgreSQL',
    make: within('postgres.log'),
    says: /postgres\.log is in the way: the board needs a file/,
  },
  {
    title: 'a seed that is none',
    make: async (dataDir) => {
      await mkdir(dataDir);
      await writeFile(path.join(dataDir, 'board.seed'), 'zz');
    },
    says: /does not hold 64 hex digits; restore it from your backup/,
  },
  {
    title: 'the database of an older version alone',
    make: async (dataDir) => {
      await within('pg17')(dataDir);
      await writeFile(path.join(dataDir, 'pg17/PG_VERSION'), '17\n');
    },
    says: /pg17 holds a PostgreSQL 17 database.*run its "backup"/,
  },
];

describe('a start that fails says in one line, and makes nothing', () => {
  const at = givenHome();

  async function expectRefused(env: Environment, says: RegExp): Promise<void> {
    const before = await readdir(at.folder, { recursive: true });
    // With the stack that this level shows, too, no secret may come out.
    for (const LOG_LEVEL of ['warn', 'debug']) {
      const given = { ...at.env, ...env };
      const { code, stdout, stderr } = await command(['start'], {
        ...given,
        LOG_LEVEL,
      });
      expect(code, stderr).to.equal(1);
      expect(stderr).to.match(says);
      expect(stderr + stdout).not.to.include(SECRET);
      if (LOG_LEVEL === 'debug') continue;
      expect(stderr.trim().split('\n'), stderr).to.have.length(1);
    }
    expect(await readdir(at.folder, { recursive: true })).to.deep.equal(before);
  }

  for (const { title, env = {}, make, says } of BROKEN) {
    it(title, async () => {
      await make?.(at.dataDir);
      await expectRefused(env, says);
    });
  }

  it('one port for two servers', async () => {
    const port = String(await freePort());
    const env = { PORT: port, METRICS_PORT: port };
    await expectRefused(env, /METRICS_PORT must be another port than PORT/);
  });
});
