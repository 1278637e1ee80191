import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Check, fail, ok, warn } from './check.js';

const MIN_BYTES = 500_000_000;
const MIN_SHARE = 0.05;
const GB = 1e9;

/** `engines` of package.json: ^20.19 || ^22.13 || >=24.11. */
function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const lowest: Record<number, number> = { 20: 19, 22: 13, 24: 11 };
  return major > 24 || minor >= (lowest[major] ?? Number.POSITIVE_INFINITY);
}

export function nodeVersion(version: string = process.versions.node): Check {
  const name = 'Node.js';
  if (isSupported(version)) return ok(name, version);
  return fail(
    name,
    `${version} is not supported`,
    'install Node.js 20.19, 22.13, 24.11 or newer of these lines',
  );
}

async function room(folder: string): Promise<{ free: number; share: number }> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, share: bavail / blocks };
  } catch (error) {
    const above = path.dirname(folder);
    if (above === folder) throw error;
    return await room(above); // the folder is made at the first start
  }
}

/** The same bounds as /readyz, and a warning at twice as much. */
export async function freeDisk(dataDir: string): Promise<Check> {
  const name = 'disk';
  const { free, share } = await room(path.resolve(dataDir));
  const detail = `${(free / GB).toFixed(1)} GB free (${Math.round(share * 100)} %)`;
  const fix = 'make room, or move DATA_DIR to a larger disk';
  if (free < MIN_BYTES || share < MIN_SHARE) return fail(name, detail, fix);
  if (free < 2 * MIN_BYTES || share < 2 * MIN_SHARE) {
    return warn(name, detail, fix);
  }
  return ok(name, detail);
}
