import { type FileHandle, open, rename, stat } from 'node:fs/promises';

const MAX_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 4096;

/**
 * The server inherits the open file, so it writes to the log without being
 * able to open it. A log that has grown is set aside, once per start.
 */
export async function openLog(path: string): Promise<FileHandle> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_BYTES) await rename(path, `${path}.1`).catch(() => {});
  const log = await open(path, 'a+', 0o600);
  await log.chmod(0o600);
  return log;
}

/** What was written since, or its end. */
export async function tail(log: FileHandle, since: number): Promise<string> {
  const { size } = await log.stat();
  const from = Math.max(since, size - TAIL_BYTES);
  const buffer = Buffer.alloc(Math.max(0, size - from));
  await log.read(buffer, 0, buffer.length, from);
  return buffer.toString('utf8').trim();
}
