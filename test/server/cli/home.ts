import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDatabase } from '../../support/cluster.js';
import type { Environment } from './command.js';

/** Of a log that is longer than what a new database has. */
export const HEAD = {
  origin: 'board.example/log',
  size: 8,
  root: Buffer.alloc(32, 1).toString('base64'),
  last_message_id: 3,
  time: 1,
};

export type Home = {
  folder: string;
  dataDir: string;
  /** Empty for a board with a database of its own. */
  databaseUrl: string;
  env: Environment;
  readonly bare: Environment;
};

export function givenHome(
  more: Environment = {},
  { database = false } = {},
): Home {
  const home: Home = {
    ...{ folder: '', dataDir: '', databaseUrl: '', env: {} },
    get bare() {
      const { DATABASE_URL: _, ...bare } = home.env;
      return bare;
    },
  };
  let drop = async () => {};
  beforeEach(async () => {
    home.folder = await mkdtemp(path.join(await realpath(tmpdir()), 'home-'));
    await chmod(home.folder, 0o711); // the account of root's database goes through
    home.dataDir = path.join(home.folder, 'data');
    home.env = { PORT: '0', DATA_DIR: home.dataDir, ...more };
    if (!database) return;
    ({ url: home.databaseUrl, drop } = await createDatabase());
    home.env.DATABASE_URL = home.databaseUrl;
  });
  afterEach(async () => {
    await drop();
    await rm(home.folder, { recursive: true, force: true });
  });
  return home;
}
