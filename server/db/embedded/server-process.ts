import {
  type FileHandle,
  open,
  readFile,
  rename,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunAs } from './account.js';
import type { Binaries } from './binaries.js';
import { codeOf, EmbeddedDatabaseError } from './error.js';
import { lastWord, run } from './run.js';

const STOP_WITHIN = 60_000;
const LOOK_AGAIN_AFTER = 10;

export type Site = {
  clusterDir: string;
  binaries: Binaries;
  as: RunAs;
  /** Called while the server is being started. */
  underWay?: () => void;
};

/**
 * True when this call started the server. pg_ctl puts it in a session of its
 * own, so it outlives this process, its group and its terminal.
 */
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
 * Asks for a fast shutdown and waits for the end of this very server.
 *
 * @NOTE not `pg_ctl stop -w`: when another process starts the next server at
 * once, pg_ctl sees its postmaster.pid and waits for that one to stop.
 */
export async function stopServer(site: Site): Promise<void> {
  const server = await serverOf(site.clusterDir);
  if (server === null) return;
  const { code, output } = await run(
    site.binaries.pgCtl,
    ['stop', '-s', '-W', '-m', 'fast'],
    { as: site.as, clusterDir: site.clusterDir },
  );
  const deadline = Date.now() + STOP_WITHIN;
  while (await isRunning(site.clusterDir, server)) {
    if (code !== 0 || Date.now() > deadline) {
      throw new EmbeddedDatabaseError(
        `The database did not stop: ${lastWord(output)}`,
      );
    }
    await delay(LOOK_AGAIN_AFTER);
  }
}

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
