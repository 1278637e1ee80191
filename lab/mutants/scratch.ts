import { chmod, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import {
  type EmbeddedDatabase,
  startEmbedded,
} from '../../server/db/embedded/index.js';
import { temporaryFolder } from '../../server/db/embedded/reach.js';
import { treeFiles } from '../../test/support/tree-files.js';
import { ROOT } from './mutants.js';

/** To plant bugs in; each run makes the databases of its PostgreSQL. */
export type Scratch = {
  tree: string;
  temporary: string;
  databaseUrl: string;
  remove(): Promise<void>;
};

/** The tree with uncommitted changes, and a link to what is installed. */
export async function makeScratch(): Promise<Scratch> {
  const folder = await mkdtemp(path.join(temporaryFolder(), 'mutants-'));
  // As root the tests' PostgreSQL runs as somebody else.
  await chmod(folder, 0o755);
  const tree = path.join(folder, 'tree');
  // Short: sockets below it have names of a hundred bytes at most.
  const temporary = path.join(folder, 't');
  await mkdir(tree);
  await mkdir(temporary);
  for (const file of await treeFiles(ROOT)) {
    await cp(path.join(ROOT, file), path.join(tree, file));
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
