import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAlive, settle } from '../../db/files.js';
import { BackupFault, TABLES } from './manifest.js';

/**
 * Fills a folder that appears whole or not at all. A killed run leaves
 * `<folder>.<pid>.part`, which the next one deletes.
 * @throws BackupFault where the folder exists; a system error where its parent
 *   is missing or closed
 */
export async function asWhole<T>(
  folder: string,
  work: (draft: string) => Promise<T>,
): Promise<T> {
  await makeWay(folder);
  const draft = `${folder}.${process.pid}.part`;
  const tables = path.join(draft, TABLES);
  // Not recursive: in /proc that would never end.
  await mkdir(draft, { mode: 0o700 });
  await mkdir(tables, { mode: 0o700 });
  try {
    const done = await work(draft);
    for (const each of [tables, draft]) await settle(each);
    await rename(draft, folder);
    await settle(path.dirname(folder));
    return done;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** An empty folder may exist; deletes drafts of dead runs. */
async function makeWay(folder: string): Promise<void> {
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') return ['a file'];
    throw error;
  });
  if (there.length > 0) {
    throw new BackupFault(
      `${folder} is there already and is no empty folder; name a new one for each backup.`,
    );
  }
  const parent = path.dirname(folder);
  const prefix = `${path.basename(folder)}.`;
  for (const name of await readdir(parent)) {
    const pid = /^(\d+)\.part$/.exec(name.slice(prefix.length))?.[1];
    if (!name.startsWith(prefix) || pid === undefined) continue;
    if (Number(pid) !== process.pid && isAlive(Number(pid))) continue;
    await rm(path.join(parent, name), { recursive: true, force: true });
  }
}
