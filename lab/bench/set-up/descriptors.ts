import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const UNKNOWN = 1024;

/** Raises the limit of this process and those it starts; answers it. */
export async function descriptorLimit(wanted: number): Promise<number> {
  const now = await hardLimit();
  if (now >= wanted) return now;
  const nofile = `--nofile=${wanted}:${wanted}`;
  await run('prlimit', ['--pid', String(process.pid), nofile]).catch(() => {});
  return await hardLimit();
}

/** Node takes as many as it may, so the soft limit is the hard one. */
async function hardLimit(): Promise<number> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, hard] = /^Max open files\s+\S+\s+(\S+)/m.exec(text) ?? [];
  return hard === undefined ? UNKNOWN : Number(hard);
}
