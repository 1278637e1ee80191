import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { compiledMain } from '../../support/compiled.js';
import { inTime } from '../../support/in-time.js';

export type Ended = { code: number | null; stdout: string; stderr: string };
export type Environment = Record<string, string>;

function environment(env: Environment): Environment {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), ...env };
}

export async function launched(
  args: readonly string[],
  env: Environment,
): Promise<ChildProcess> {
  return spawn(process.execPath, [await compiledMain(), ...args], {
    cwd: tmpdir(), // where no .env stands
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

type Heard = { texts: Omit<Ended, 'code'>; end: Promise<Ended> };

function listenTo(child: ChildProcess): Heard {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const end = once(child, 'close').then(([code]) => ({ code, ...texts }));
  return { texts, end };
}

/** Waits for the end of a child; one that hangs is killed, and fails the test. */
async function endOf(
  child: ChildProcess,
  { texts, end }: Heard,
): Promise<Ended> {
  const what = `the end of "${child.spawnargs.join(' ')}"`;
  return await inTime(what, end, () => {
    child.kill('SIGKILL');
    return `It said: ${texts.stdout}${texts.stderr}`;
  });
}

export async function ended(child: ChildProcess): Promise<Ended> {
  return await endOf(child, listenTo(child));
}

export async function command(
  args: readonly string[],
  env: Environment = {},
): Promise<Ended> {
  return await ended(await launched(args, env));
}

export async function refusal(
  args: readonly string[],
  env: Environment = {},
): Promise<string> {
  const { code, stdout, stderr } = await command(args, env);
  expect(code, stdout + stderr).to.equal(1);
  expect(stderr).to.match(/^reserve-board: .+\n$/);
  return stderr;
}

export type Running = {
  lines: string[];
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  ended: Promise<Ended>;
  pid: number;
};

export async function running(
  args: readonly string[],
  env: Environment,
  until: RegExp,
): Promise<Running> {
  return await heard(await launched(args, env), until);
}

export async function heard(
  child: ChildProcess,
  until: RegExp,
): Promise<Running> {
  const all = listenTo(child);
  const lines: string[] = [];
  const { stdout } = child;
  if (stdout === null) throw new Error('no output');
  const said = async (): Promise<boolean> => {
    for await (const line of createInterface({ input: stdout })) {
      lines.push(line);
      if (until.test(line)) return true;
    }
    return false;
  };
  const isHeard = await inTime(`a line like ${until}`, said(), () => {
    child.kill('SIGKILL');
    return `It said: ${all.texts.stdout}${all.texts.stderr}`;
  });
  if (!isHeard) {
    const { code, stderr } = await endOf(child, all);
    throw new Error(`it ended with ${code}: ${stderr}`);
  }
  return {
    lines,
    pid: child.pid ?? 0,
    ended: all.end,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return await endOf(child, all);
    },
  };
}
