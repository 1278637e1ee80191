import { open, writeFile } from 'node:fs/promises';

/** Of the system (`ENOENT`) or of PostgreSQL (`57P03`). */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** For a `catch`: null where there is no such file; other errors are thrown. */
export function nullIfAway(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}

/** Mode 0600; on the disk when it resolves. */
export async function durable(
  file: string,
  content: string | Buffer,
  flag: 'w' | 'wx' = 'wx',
): Promise<void> {
  await writeFile(file, content, { flag, mode: 0o600, flush: true });
}

/** fsync of a file or folder. */
export async function settle(target: string): Promise<void> {
  const handle = await open(target, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Of the process that a file names: after a crash the file is stale. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
