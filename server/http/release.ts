import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Works from sources and from `dist`. */
export const PACKAGE_ROOT = packageRoot();

export const RELEASE = versionOf(PACKAGE_ROOT);

/** When CHANGELOG.md says that it was made; null before. */
export const RELEASED_AT = releasedAt(PACKAGE_ROOT);

/** The compatible release of the interface. */
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

function releasedAt(root: string): number | null {
  const text = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const [, day] = text.split(`\n## ${RELEASE} (`)[1]?.match(/^([\d-]+)/) ?? [];
  return day === undefined ? null : Date.parse(day);
}

function versionOf(root: string): string {
  const text = readFileSync(path.join(root, 'package.json'), 'utf8');
  return String((JSON.parse(text) as { version?: unknown }).version);
}
