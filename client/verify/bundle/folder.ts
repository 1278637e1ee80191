import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fromUtf8 } from '../../../protocol/bytes.js';
import { bundleFiles, README } from './layout.js';

/**
 * The bytes of a file of the bundle; null where there is none. Reading what is
 * no ordinary file, such as a pipe, might never end.
 */
export async function bytesIn(
  folder: string,
  name: string,
): Promise<Uint8Array | null> {
  try {
    const file = path.join(folder, name);
    return (await stat(file)).isFile() ? await readFile(file) : null;
  } catch {
    return null;
  }
}

/** The text of a file; null where there is none, or none in UTF-8. */
export async function textIn(
  folder: string,
  name: string,
): Promise<string | null> {
  const bytes = await bytesIn(folder, name);
  return bytes === null ? null : fromUtf8(bytes);
}

/** Every file below the folder, with slashes; empty where there is none. */
export async function filesIn(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, {
      recursive: true,
      withFileTypes: true,
    });
    return found
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) =>
        path.relative(folder, path.join(parentPath, name)),
      )
      .map((name) => name.split(path.sep).join('/'));
  } catch {
    return [];
  }
}

/** Files that are no part of the bundle; nothing is known of them. */
export function strangersAmong(files: string[], size: number): string[] {
  const own = new Set([README, ...bundleFiles(size)]);
  return files.filter((name) => !own.has(name)).sort();
}
