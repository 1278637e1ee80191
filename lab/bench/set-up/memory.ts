import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Memory of a process in bytes, what it shares divided among the sharers. */
async function memoryOf(pid: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}

async function parentOf(pid: string): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '';
}

/** Bytes of memory, those of the database with all its processes. */
export type NodeMemory = { node: number; database: number };

/** Of a node and its embedded database; null where there is no /proc. */
export async function nodeMemory(
  pid: number,
  dataDir: string,
): Promise<NodeMemory | null> {
  const pids = await readdir('/proc').catch(() => null);
  if (pids === null) return null;
  const file = path.join(dataDir, 'pg18', 'postmaster.pid');
  const [postmaster = ''] = (await readFile(file, 'utf8')).split('\n');
  let database = await memoryOf(postmaster);
  for (const other of pids.filter((name) => /^\d+$/.test(name))) {
    if ((await parentOf(other)) !== postmaster) continue;
    // One that has just ended holds nothing.
    database += await memoryOf(other).catch(() => 0);
  }
  return { node: await memoryOf(String(pid)), database };
}
