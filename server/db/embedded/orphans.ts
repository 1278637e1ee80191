import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../files.js';
import { EmbeddedDatabaseError } from './error.js';
import { hbaFile } from './layout.js';
import { serverOf, signal, within } from './server-process.js';

export type LivingServer = {
  pid: number;
  children: number[];
  /** Processes that serve a connection. */
  clients: number;
  /** Its data directory is this folder, not a deleted one of that path. */
  isInPlace: boolean;
};

type Process = { pid: number; parent: number; args: string[]; folder: string };

const LOOK_AGAIN_AFTER = 50;
/** A server that starts has not written its lock file yet. */
const NEW_FOR = 2000;
/** Connections of a crashed node end by themselves. */
const CLIENTS_LEAVE_WITHIN = 10_000;
const STOPS_WITHIN = 5000;

/**
 * Servers whose data directory is, or was, `clusterDir`. Reads processes, since
 * the lock file goes with a moved folder. Linux only.
 */
export function livingServers(clusterDir: string): LivingServer[] {
  const here = identityOf(clusterDir);
  const startedHere = `hba_file=${hbaFile(dirname(clusterDir))}`;
  const all = postgresProcesses();
  return all
    .filter(({ parent }) => all.every(({ pid }) => pid !== parent))
    .filter(({ args, folder }) => folder === here || args.includes(startedHere))
    .map(({ pid, folder }) => {
      const children = all.filter(({ parent }) => parent === pid);
      return {
        pid,
        children: children.map((child) => child.pid),
        clients: children.filter(({ args }) => args[0]?.includes('[local]'))
          .length,
        isInPlace: folder === here,
      };
    });
}

/**
 * Ends servers whose folder or lock file is gone: at its end such a server
 * removes the socket of the next one.
 * @throws EmbeddedDatabaseError where another process uses such a server.
 */
export async function endOrphans(clusterDir: string): Promise<void> {
  const since = Date.now();
  for (;;) {
    const orphan = await orphanOf(clusterDir);
    if (orphan === undefined) return;
    const waited = Date.now() - since;
    if (orphan.clients === 0 && waited > NEW_FOR) await endServer(orphan);
    else if (waited > CLIENTS_LEAVE_WITHIN) throw inUse(clusterDir, orphan);
    else await delay(LOOK_AGAIN_AFTER);
  }
}

export async function namedServer(
  clusterDir: string,
): Promise<LivingServer | undefined> {
  const servers = livingServers(clusterDir);
  const named = await serverOf(clusterDir);
  return servers.find(({ pid, isInPlace }) => isInPlace && pid === named?.pid);
}

/**
 * Removes a lock file that keeps PostgreSQL from starting though no server has
 * the folder: it is empty after a power cut, or its process number is another
 * program's. Linux only.
 * @param lock `postmaster.pid`, or the lock of the socket
 */
export async function removeStaleLock(
  clusterDir: string,
  lock: string,
): Promise<void> {
  const isFree = () =>
    process.platform === 'linux' && livingServers(clusterDir).length === 0;
  const judged = identityOf(lock);
  // In this order: a lock written after the look for servers is not judged.
  if (judged === null || !(await isStale(lock)) || !isFree()) return;
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  // Another process may have started a server since, whose file this is.
  if (identityOf(aside) === judged && isFree()) await rm(aside);
  else await rename(aside, lock);
}

/** Not stale when no process has the number: PostgreSQL ignores such a lock. */
async function isStale(lock: string): Promise<boolean> {
  const text = await readFile(lock, 'utf8').catch(() => null);
  const pid = Number(text?.split('\n')[0]);
  if (!(pid > 0)) return text !== null;
  return existsSync(`/proc/${pid}`);
}

/** The first server that the folder's lock file does not name. */
export async function orphanOf(
  clusterDir: string,
): Promise<LivingServer | undefined> {
  const servers = livingServers(clusterDir);
  const named = await serverOf(clusterDir);
  return servers.find(({ pid, isInPlace }) => !isInPlace || pid !== named?.pid);
}

function inUse(clusterDir: string, { pid, isInPlace }: LivingServer) {
  const lost = isInPlace ? 'lost its lock file' : 'was moved or removed';
  return new EmbeddedDatabaseError(
    `The PostgreSQL of ${clusterDir}, which ${lost}, still runs as process ${pid}, and another process uses it; stop the node that runs on it (or, if there is none, run kill ${pid}), then run this again.`,
  );
}

/** @throws EmbeddedDatabaseError where another process uses the silent server. */
export async function endUnused(
  clusterDir: string,
  server: LivingServer,
): Promise<void> {
  const { pid, clients } = server;
  if (clients === 0) return await endServer(server);
  throw new EmbeddedDatabaseError(
    `The PostgreSQL of ${clusterDir} (process ${pid}) runs and does not answer on its socket, and another process uses it; stop the node and start it again (if there is none, run kill -9 ${pid}).`,
  );
}

/**
 * Ends a server that nobody uses; what it committed is in its WAL. A stopped
 * process is killed with its children, so that none writes later.
 */
async function endServer(server: LivingServer): Promise<void> {
  const all = [server.pid, ...server.children];
  const left = () => all.filter((pid) => processOf(String(pid)) !== null);
  const isGone = () => left().length === 0;
  signal(server.pid, 'SIGQUIT');
  if (await within(STOPS_WITHIN, isGone)) return;
  for (const pid of left()) signal(pid, 'SIGKILL');
  if (await within(STOPS_WITHIN, isGone)) return;
  throw new EmbeddedDatabaseError(
    `A PostgreSQL that was left behind does not end; run kill -9 ${server.pid}, then run this again.`,
  );
}

function postgresProcesses(): Process[] {
  if (process.platform !== 'linux') return [];
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.flatMap((name) => processOf(name) ?? []);
}

/** Null for other programs and for processes that have ended. */
function processOf(name: string): Process | null {
  const of = (file: string) => join('/proc', name, file);
  try {
    if (readFileSync(of('comm'), 'utf8') !== 'postgres\n') return null;
    const stat = readFileSync(of('stat'), 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return null;
    return {
      pid: Number(name),
      parent: Number(parent),
      args: readFileSync(of('cmdline'), 'utf8').split('\0'),
      folder: identityOf(of('cwd')) ?? '',
    };
  } catch {
    return null;
  }
}

/** Distinguishes a folder from a later one of the same path. */
export function identityOf(folder: string): string | null {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}
