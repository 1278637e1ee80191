import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Scratch } from './scratch.js';

export type Failure = {
  title: string;
  file: string;
  /** By an assertion, and not by an error of any other kind. */
  asserted: boolean;
  message: string;
};

export type TestRun = {
  passed: number;
  failures: Failure[];
  /** False for a run that was stopped, or never began. */
  ended: boolean;
  seconds: number;
  /** The last that the tests said. */
  output: string;
};

const OUTPUT_CHARACTERS = 4000;
const running = new Set<ChildProcess>();

/** Ends whatever runs, with all that it started. */
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

/** Runs test files of a tree on its PostgreSQL. */
export async function runTests(
  scratch: Scratch,
  files: readonly string[],
  limitMs: number,
): Promise<TestRun> {
  const began = performance.now();
  const result = path.join(scratch.temporary, 'result.json');
  await rm(result, { force: true });
  const { output } = await started(
    scratch,
    [
      'node_modules/mocha/bin/mocha.js',
      '--no-config',
      '--exit',
      '--import=@oxc-node/core/register',
      '--require=test/support/global.ts',
      '--reporter=lab/mutants/reporter.cjs',
      `--timeout=${limitMs / 2}`,
      ...files,
    ],
    limitMs,
    {
      MUTANT_RESULT: result,
      TEST_DATABASE_URL: scratch.databaseUrl,
      TEST_HANG_SECONDS: String(HANG_SECONDS),
    },
  );
  const seconds = (performance.now() - began) / 1000;
  const none = { passed: 0, failures: [], ended: false };
  const text = await readFile(result, 'utf8').catch(() => null);
  const told = text === null ? none : (JSON.parse(text) as typeof none);
  return { ...told, seconds, output };
}

/** Why modules of a tree cannot be loaded; null when they can. */
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
