import {
  type FileHandle,
  open,
  readFile,
  rename,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, nullIfAway } from '../files.js';
import type { RunAs } from './account.js';
import type { Binaries } from './binaries.js';
import { EmbeddedDatabaseError } from './error.js';
import { run } from './run.js';

const STOP_WITHIN = 60_000;
const LOOK_AGAIN_AFTER = 10;
/** PostgreSQL 18, section 18.5: open transactions are rolled back. */
const FAST_SHUTDOWN = 'SIGINT';

export type Site = {
  clusterDir: string;
  binaries: Binaries;
  as: RunAs;
  underWay?: () => void;
};

/** True: started by this call. It outlives this process. */
export async function startServer(
  site: Site,
  options: string,
  log: FileHandle,
): Promise<boolean> {
  const { code } = await run(
    site.binaries.pgCtl,
    ['start', '-s', '-w', '-t', '30', '-o', options],
    { ...site, outputFd: log.fd },
  );
  return code === 0;
}

/**
 * Signals the process: `pg_ctl stop` would stop the server that the folder
 * names now. If the folder was moved, the server is killed, since its shutdown
 * would remove the socket of the board in its place.
 * @param wakes lets a server end that was stopped by a signal
 */
export async function stopServer(
  site: Site,
  server: Server,
  wakes = false,
): Promise<void> {
  const isInPlace = await isRunning(site.clusterDir, server);
  signal(server.pid, isInPlace ? FAST_SHUTDOWN : 'SIGKILL');
  if (wakes) signal(server.pid, 'SIGCONT');
  const ended = async () => !(await isRunning(site.clusterDir, server));
  if (await within(STOP_WITHIN, ended)) return;
  throw new EmbeddedDatabaseError(
    `The database did not stop within ${STOP_WITHIN / 1000} s; process ${server.pid} is its server.`,
  );
}

export async function within(
  ms: number,
  done: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (!(await done())) {
    if (Date.now() > deadline) return false;
    await delay(LOOK_AGAIN_AFTER);
  }
  return true;
}

/** Signal 0 only tests for existence. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

export type Place = { host: string; port: number };

/** Proves nothing: `postmaster.pid` stays behind after a crash. */
export async function placeOf(clusterDir: string): Promise<Place | null> {
  const lines = await read(clusterDir);
  const [port, host] = [Number(lines[3]), lines[4]];
  return port > 0 && host?.startsWith('/') ? { host, port } : null;
}

export async function isHeld(clusterDir: string): Promise<boolean> {
  return (await read(clusterDir)).length > 1;
}

export type Server = { pid: number; since: string };

export async function serverOf(clusterDir: string): Promise<Server | null> {
  const [pid, , since] = await read(clusterDir);
  return Number(pid) > 0 ? { pid: Number(pid), since: since ?? '' } : null;
}

async function isRunning(clusterDir: string, server: Server): Promise<boolean> {
  const now = await serverOf(clusterDir);
  return (
    now?.pid === server.pid &&
    now.since === server.since &&
    signal(server.pid, 0)
  );
}

async function read(clusterDir: string): Promise<string[]> {
  const path = join(clusterDir, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch(nullIfAway);
  return (text ?? '').split('\n');
}

const MAX_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 4096;

/** The server inherits the open file, which it may not open itself. */
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

export async function tail(log: FileHandle, since: number): Promise<string> {
  const { size } = await log.stat();
  const from = Math.max(since, size - TAIL_BYTES);
  const buffer = Buffer.alloc(Math.max(0, size - from));
  await log.read(buffer, 0, buffer.length, from);
  return buffer.toString('utf8').trim();
}
