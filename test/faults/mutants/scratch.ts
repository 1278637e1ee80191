import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  rm,
  symlink,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  type EmbeddedDatabase,
  startEmbedded,
} from '../../../server/db/embedded/index.js';
import { ROOT } from './patch.js';

const run = promisify(execFile);
const LISTING_BYTES = 64 * 1024 * 1024;

/**
 * A copy of the tree to plant bugs in, with a folder for temporary files and a
 * PostgreSQL, whose databases every run makes anew.
 */
export type Scratch = {
  tree: string;
  temporary: string;
  databaseUrl: string;
  remove(): Promise<void>;
};

/**
 * Copies the tree as it stands, uncommitted changes with it; of what is
 * installed it has a link only.
 */
export async function makeScratch(): Promise<Scratch> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mutants-'));
  // As root the tests' PostgreSQL runs as somebody else.
  await chmod(folder, 0o755);
  const tree = path.join(folder, 'tree');
  // Short: sockets below it have names of a hundred bytes at most.
  const temporary = path.join(folder, 't');
  await mkdir(tree);
  await mkdir(temporary);
  for (const file of await filesOfTree()) {
    const from = path.join(ROOT, file);
    if (!existsSync(from) || (await lstat(from)).isDirectory()) continue;
    await cp(from, path.join(tree, file));
  }
  const installed = path.join(ROOT, 'node_modules');
  await symlink(installed, path.join(tree, 'node_modules'));
  const database = await startEmbedded({
    dataDir: path.join(folder, 'd'),
    log: () => {},
    settings: { max_connections: '200' },
  });
  return {
    tree,
    temporary,
    databaseUrl: urlOf(database.connection),
    remove: async () => {
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function urlOf({
  host,
  port,
  user,
  database,
}: EmbeddedDatabase['connection']): string {
  const socket = encodeURIComponent(host);
  return `postgresql://${user}@localhost:${port}/${database}?host=${socket}`;
}

async function filesOfTree(): Promise<string[]> {
  const { stdout } = await run(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT, maxBuffer: LISTING_BYTES },
  );
  return stdout.split('\0').filter((file) => file !== '');
}
