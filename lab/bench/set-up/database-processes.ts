import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const TICK_MS = 10; // USER_HZ is 100 on every Linux

/** Fields of /proc/<pid>/stat after the command: state, ppid and so on. */
async function statOf(pid: string): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Of a database's processes what /proc says of each, the postmaster first. */
async function processesOf(dataDir: string) {
  const file = path.join(dataDir, 'pg18', 'postmaster.pid');
  const [postmaster = ''] = (await readFile(file, 'utf8')).split('\n');
  const pids = await readdir('/proc').catch(() => []);
  const found = [{ pid: postmaster, stat: await statOf(postmaster) }];
  for (const pid of pids.filter((name) => /^\d+$/.test(name))) {
    const stat = await statOf(pid);
    if (stat[1] === postmaster) found.push({ pid, stat });
  }
  return found;
}

/** Processor time, in ms, that processes have used so far. */
export async function cpuMsOf(pids: readonly number[]): Promise<number> {
  let ticks = 0;
  for (const pid of pids) {
    const [user = 0, system = 0] = (await statOf(`${pid}`)).slice(11, 13);
    ticks += Number(user) + Number(system);
  }
  return ticks * TICK_MS;
}

/** Of the embedded PostgreSQL so far, in ms; 0 where there is no /proc. */
export async function databaseCpuMs(dataDir: string): Promise<number> {
  let ticks = 0;
  for (const [at, { stat }] of (await processesOf(dataDir)).entries()) {
    const [user = 0, system = 0, ...ended] = stat.slice(11, 15).map(Number);
    ticks += user + system;
    // The postmaster has what its processes used that are over.
    if (at === 0) for (const one of ended) ticks += one;
  }
  return ticks * TICK_MS;
}

/** Bytes of memory, those of the database with all its processes. */
export type NodeMemory = { node: number; database: number };

/** Of a node and its embedded database; null where there is no /proc. */
export async function nodeMemory(
  pid: number,
  dataDir: string,
): Promise<NodeMemory | null> {
  const node = await memoryOf(String(pid)).catch(() => null);
  if (node === null) return null;
  let database = 0;
  for (const { pid } of await processesOf(dataDir)) {
    // One that has just ended has none.
    database += await memoryOf(pid).catch(() => 0);
  }
  return { node, database };
}

/** Memory of a process in bytes, what it shares divided among the sharers. */
async function memoryOf(pid: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}
