import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './error.js';

/** Where a server listens: a folder of a socket, and its number. */
export type Place = { host: string; port: number };

/**
 * What `postmaster.pid` names. Only the server's user can write it, so it can
 * be believed; it stays behind after a crash, so it proves nothing.
 */
export async function placeOf(clusterDir: string): Promise<Place | null> {
  const lines = await read(clusterDir);
  const [port, host] = [Number(lines[3]), lines[4]];
  return port > 0 && host?.startsWith('/') ? { host, port } : null;
}

export async function isHeld(clusterDir: string): Promise<boolean> {
  return (await read(clusterDir)).length > 1;
}

/** One run of one server: its process number and when it started. */
export type Server = { pid: number; since: string };

export async function serverOf(clusterDir: string): Promise<Server | null> {
  const [pid, , since] = await read(clusterDir);
  return Number(pid) > 0 ? { pid: Number(pid), since: since ?? '' } : null;
}

export async function isRunning(
  clusterDir: string,
  { pid, since }: Server,
): Promise<boolean> {
  const now = await serverOf(clusterDir);
  if (now?.pid !== pid || now.since !== since) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/**
 * The name of a process that came to have the number of the dead server (in
 * containers, where numbers repeat); known on Linux only.
 */
export async function strangerHolding(
  clusterDir: string,
): Promise<string | null> {
  const pid = (await serverOf(clusterDir))?.pid;
  if (pid === undefined) return null;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (name === '' || name.startsWith('postgres')) return null;
  return `The process ${pid} (${name.trim()})`;
}

async function read(clusterDir: string): Promise<string[]> {
  const path = join(clusterDir, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n');
}
