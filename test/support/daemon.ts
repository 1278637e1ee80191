import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { RunAs } from '../../server/db/embedded/account.js';
import { until } from './until.js';

export type DaemonOptions = {
  file: string;
  line: readonly string[];
  /** What it says is appended there. */
  log: string;
  env?: Record<string, string>;
  as?: RunAs;
};

export class Daemon {
  private child: ChildProcess | null = null;

  constructor(private readonly options: DaemonOptions) {}

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  start(): void {
    const { file, line, log, env = {}, as = null } = this.options;
    const output = openSync(log, 'a');
    const { PATH = '' } = process.env;
    this.child = spawn(file, line, {
      cwd: '/',
      env: { PATH, LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', output, output],
      ...(as === null ? {} : { uid: as.uid, gid: as.gid }),
    });
  }

  /** @throws Error with its last words, when it has ended by itself. */
  assertRuns(): void {
    const { child, options } = this;
    if (child?.exitCode === null && child.signalCode === null) return;
    const last = readFileSync(options.log, 'utf8').slice(-1000);
    throw new Error(`${options.file} ended: ${last}`);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null) return;
    if (child.signalCode !== null) return;
    const over = once(child, 'exit');
    child.kill(signal);
    await over;
  }
}

/** A process and all below it, the process itself first. */
export async function familyOf(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // The name of a program, in parentheses, can hold anything.
    const parent = /.*\) \S (\d+)/s.exec(stat)?.[1];
    if (parent !== undefined) parents.set(Number(entry), Number(parent));
  }
  const family = [pid];
  for (const one of family) {
    for (const [child, parent] of parents)
      if (parent === one) family.push(child);
  }
  return family;
}

/** Sends a signal to all; those that have ended meanwhile are no fault. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

export async function ended(pids: readonly number[]): Promise<void> {
  await until('the end of processes', async () => {
    const stats = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
    );
    // Z: it has ended, and nobody has asked how.
    return stats.every((stat) => stat === '' || /.*\) Z /s.test(stat));
  });
}
