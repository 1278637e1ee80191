import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { runFolder } from './run-folder.js';

/** What a test waits for: parts of a file's time that `timed` measures. */
type Part = 'copies' | 'boards' | 'waits';

/** The file in which each process writes a line per test file. */
export const TIMES_FILE = 'times.jsonl';

let parts = { copies: 0, boards: 0, waits: 0, boardCount: 0 };
let lastEnd = performance.now() - process.uptime() * 1000;
let begun = 0;
let cpu = process.cpuUsage();

/** Adds the time of `work` to a part of the file that runs. */
export async function timed<T>(part: Part, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  if (part === 'boards') parts.boardCount += 1;
  try {
    return await work();
  } finally {
    parts[part] += performance.now() - start;
  }
}

export function beginFile(): void {
  begun = performance.now();
}

/** After a file's last hook; `load`: the time since the file before ended. */
export function endFile(file: string): void {
  const now = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  const line = {
    file,
    load: begun - lastEnd,
    total: now - begun,
    cpu: (user + system) / 1000,
    ...parts,
  };
  appendFileSync(
    path.join(runFolder(), TIMES_FILE),
    `${JSON.stringify(line)}\n`,
  );
  parts = { copies: 0, boards: 0, waits: 0, boardCount: 0 };
  lastEnd = now;
  cpu = process.cpuUsage();
}
