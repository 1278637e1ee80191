import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, from the sources and from `dist` alike. */
export const PACKAGE_ROOT = packageRoot();

/** This software's own version. */
export const RELEASE = versionOf(PACKAGE_ROOT);

/** The release of the interface that this one is compatible with. */
export const COMPATIBLE_WITH = '4.1.12' as const;

function packageRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) {
    const above = path.dirname(folder);
    if (above === folder) throw new Error('package.json is missing');
    folder = above;
  }
  return folder;
}

function versionOf(root: string): string {
  const text = readFileSync(path.join(root, 'package.json'), 'utf8');
  return String((JSON.parse(text) as { version?: unknown }).version);
}
