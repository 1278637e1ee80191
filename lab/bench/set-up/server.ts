import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbedded } from '../../../server/db/embedded/index.js';

export type Server = {
  connection: { host: string; port: number; user: string; database: string };
  stop(): Promise<void>;
};

/** A folder of PostgreSQL's programs, such as /usr/lib/postgresql/15/bin. */
const INSTALLED = 'BENCH_POSTGRES';
const PORT = 25_617;
const USER = 'postgres';

/** A board's PostgreSQL, with room for the connections of several. */
export function ownServer(folder: string): Promise<Server> {
  const settings = { max_connections: '200' };
  return startEmbedded({ dataDir: folder, log: () => {}, settings });
}

/** What a board's server has of its own, as PostgreSQL has it by itself. */
const STOCK = {
  jit: 'on',
  shared_buffers: '128MB',
  effective_cache_size: '4GB',
  max_parallel_workers_per_gather: '2',
  max_connections: '100',
  max_logical_replication_workers: '4',
  huge_pages: 'try',
  io_method: 'worker',
};

/** With PostgreSQL's own settings: `BENCH_POSTGRES`, else a board's. */
export function stockServer(folder: string): Promise<Server> {
  const bin = process.env[INSTALLED];
  return bin === undefined
    ? startEmbedded({ dataDir: folder, log: () => {}, settings: STOCK })
    : installedServer(bin, folder);
}

/** PostgreSQL does not run as root; its files are then another's. */
async function account(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const of = async (flag: string) =>
    Number((await promisify(execFile)('id', [flag, 'nobody'])).stdout);
  return { uid: await of('-u'), gid: await of('-g') };
}

async function installedServer(bin: string, folder: string): Promise<Server> {
  const owner = await account();
  const run = async (program: string, ...args: string[]) => {
    const child = spawn(path.join(bin, program), args, {
      cwd: folder,
      stdio: 'ignore',
      ...owner,
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${program} in ${folder} ended: ${code}`);
  };
  const data = path.join(folder, 'data');
  if (owner !== null) await chown(folder, owner.uid, owner.gid);
  if (!existsSync(data)) {
    await run('initdb', '-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8');
  }
  const place = `-c listen_addresses=127.0.0.1 -c port=${PORT} -c unix_socket_directories=''`;
  const log = path.join(folder, 'postgres.log');
  // A server that an interrupted run has left is started again.
  const start = ['-D', data, '-w', '-m', 'fast', '-o', place, '-l', log];
  await run('pg_ctl', ...start, 'restart');
  return {
    connection: {
      host: '127.0.0.1',
      port: PORT,
      user: USER,
      database: 'postgres',
    },
    stop: () => run('pg_ctl', '-D', data, '-w', '-m', 'fast', 'stop'),
  };
}
