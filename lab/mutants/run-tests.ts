import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { linesOf, type Outcome } from '../outcome.js';
import type { Scratch } from './scratch.js';

export type TestRun = {
  outcomes: Outcome[];
  /** False for a run that was stopped, or never began. */
  ended: boolean;
  seconds: number;
  output: string;
};

const OUTPUT_CHARACTERS = 4000;
const running = new Set<ChildProcess>();

export function endAll(): void {
  for (const child of running) endGroup(child);
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It was over already.
  }
}

async function started(
  { tree, temporary }: Scratch,
  args: readonly string[],
  limitMs: number,
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: tree,
    detached: true, // a group of its own, so that nothing of it stays
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: temporary, ...env },
  });
  running.add(child);
  let output = '';
  const hear = (text: Buffer) => {
    output = (output + text).slice(-OUTPUT_CHARACTERS);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const timer = setTimeout(() => endGroup(child), limitMs);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  endGroup(child);
  running.delete(child);
  return { code, output };
}

/** A state that a planted bug keeps from coming is waited for so long. */
const HANG_SECONDS = 40;

export async function runTests(
  scratch: Scratch,
  files: readonly string[],
  limitMs: number,
): Promise<TestRun> {
  const began = performance.now();
  const notes = path.join(scratch.temporary, 'outcomes');
  await rm(notes, { force: true });
  const { code, output } = await started(
    scratch,
    [
      ...['node_modules/mocha/bin/mocha.js', '--no-config', '--exit'],
      ...['--import=@oxc-node/core/register', `--timeout=${limitMs / 2}`],
      ...['--require=test/support/global.ts', '--reporter=lab/outcomes.cjs'],
      ...files,
    ],
    limitMs,
    {
      TEST_OUTCOMES: notes,
      TEST_DATABASE_URL: scratch.databaseUrl,
      TEST_HANG_SECONDS: String(HANG_SECONDS),
    },
  );
  const seconds = (performance.now() - began) / 1000;
  const outcomes = await linesOf<Outcome>(notes);
  const failed = outcomes.filter(({ passed }) => !passed).length;
  // Mocha ends with the number of failures, as far as an exit code can tell it.
  const ended = outcomes.length > 0 && code === Math.min(failed, 255);
  return { outcomes, ended, seconds, output };
}

export async function whyUnloadable(
  scratch: Scratch,
  files: readonly string[],
): Promise<string | null> {
  const imports = files.map((file) => `await import('./${file}');`).join('\n');
  const { code, output } = await started(
    scratch,
    [
      '--import=@oxc-node/core/register',
      '--input-type=module',
      '--eval',
      `${imports}\nprocess.exit(0)`,
    ],
    60_000,
    {},
  );
  return code === 0 ? null : output;
}
