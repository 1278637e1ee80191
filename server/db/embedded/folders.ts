import { chmod, chown, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { RunAs } from './run.js';

/**
 * The data root is private. Under root it lets other users pass through, but
 * not list it, because the server of another user lives inside; what root
 * keeps beside the database (the seed) has mode 0600 of its own.
 */
export async function prepareDataRoot(path: string): Promise<string> {
  const root = process.getuid?.() === 0;
  await mkdir(path, { recursive: true, mode: root ? 0o711 : 0o700 });
  const real = await realpath(path);
  const { uid, mode } = await stat(real);
  const ours = root && uid === 0 && real !== homedir();
  if (ours && (mode & 0o001) === 0) await chmod(real, (mode & 0o777) | 0o001);
  return real;
}

/** Makes a 0700 folder that belongs to the user of the server. */
export async function makePrivate(path: string, as: RunAs): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  await chmod(path, 0o700); // whatever the umask
  if (as !== null) await chown(path, as.uid, as.gid);
}

/** A real folder, of that user, closed to all others. */
export async function isPrivate(path: string, as: RunAs): Promise<boolean> {
  const owner = as?.uid ?? process.getuid?.();
  const found = await lstat(path);
  return (
    found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0
  );
}
