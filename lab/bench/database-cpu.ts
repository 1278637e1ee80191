import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const TICK_MS = 10; // USER_HZ is 100 on every Linux

/** Fields of /proc/<pid>/stat after the command: ppid, utime and the like. */
async function statOf(pid: string): Promise<number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

/**
 * Processor time, in ms, that the embedded PostgreSQL of a data folder has
 * used with all its processes so far; 0 where there is no /proc.
 */
export async function databaseCpuMs(dataDir: string): Promise<number> {
  const file = path.join(dataDir, 'pg18', 'postmaster.pid');
  const [postmaster = ''] = (await readFile(file, 'utf8')).split('\n');
  const pids = await readdir('/proc').catch(() => []);
  let ticks = 0;
  for (const pid of pids.filter((name) => /^\d+$/.test(name))) {
    const [, ppid, ...rest] = await statOf(pid);
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = rest.slice(9, 13);
    if (pid === postmaster) ticks += utime + stime + cutime + cstime;
    else if (ppid === Number(postmaster)) ticks += utime + stime;
  }
  return ticks * TICK_MS;
}
