import { lstat, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { codeOf } from './error.js';

type Link = { source: string; target: string };

/**
 * npm packages cannot carry symbolic links, so the binaries come with a list
 * of them. Their own install script would make the links, but install scripts
 * are switched off here (and by npm 12 for everyone).
 */
export async function hydrateSymlinks(packageDir: string): Promise<number> {
  let made = 0;
  for (const { source, target } of await manifest(packageDir)) {
    if (await exists(join(packageDir, target))) continue;
    const path = join(packageDir, target);
    try {
      await symlink(relative(dirname(target), source), path);
      made += 1;
    } catch (error) {
      // another process was faster
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
  return made;
}

async function manifest(packageDir: string): Promise<Link[]> {
  const path = join(packageDir, 'native', 'pg-symlinks.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '[]';
    throw error;
  });
  return JSON.parse(text) as Link[];
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
