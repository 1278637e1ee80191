import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RunAs } from './account.js';
import { EmbeddedDatabaseError } from './error.js';

/** Of PostgreSQL's programs and of the shell; nothing of the caller's. */
export const PATH = '/usr/local/bin:/usr/bin:/bin';

type RunOptions = {
  as: RunAs;
  /** The cluster; by PGDATA and not -D, which pg_ctl hands to a shell. */
  clusterDir?: string;
  /** A file for the output, for a command that leaves a server behind. */
  outputFd?: number;
  /** Called once the command runs, which takes it a while. */
  underWay?: () => void;
};

/**
 * Runs one PostgreSQL command to its end, in an environment of its own (no
 * PGPORT or PGOPTIONS of the caller) and in a session of its own (Ctrl-C in
 * the terminal must not cut a shutdown short).
 */
export async function run(
  command: string,
  args: string[],
  options: RunOptions,
): Promise<{ code: number | null; output: string }> {
  const sink = options.outputFd ?? 'pipe';
  const child = spawn(command, args, {
    cwd: '/', // ours may be closed to the other user
    detached: true,
    stdio: ['ignore', sink, sink],
    env: environment(options.clusterDir),
    ...asAccount(options.as),
  });
  options.underWay?.();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output: output.trim() };
  } catch (error) {
    const who = options.as ? ` as the account ${options.as.name}` : '';
    throw new EmbeddedDatabaseError(
      `${command} cannot be run${who}: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

/** For spawn, which takes the numbers signed. */
export function asAccount(as: RunAs): { uid?: number; gid?: number } {
  return as === null ? {} : { uid: as.uid | 0, gid: as.gid | 0 };
}

function environment(clusterDir: string | undefined): NodeJS.ProcessEnv {
  return {
    PATH,
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(clusterDir !== undefined && { PGDATA: clusterDir }),
  };
}

const CHATTER =
  /^(?:pg_ctl: (?:could not start server|server did not start)|Examine the log|stopped waiting|HINT: |DETAIL: |LOG: )/;
const STAMP = /^\d{4}-\d\d-\d\d [\d:.]+ \S+ \[\d+\] /;

/**
 * The one line of what a PostgreSQL program said that tells why it failed:
 * the last fatal one, else the last that says more than that it failed.
 */
export function lastWord(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(STAMP, '').trim())
    .filter((line) => line !== '');
  const telling = lines.filter((line) => !CHATTER.test(line));
  return (
    telling.findLast((line) => /\b(?:FATAL|PANIC):/.test(line)) ??
    telling.at(-1) ??
    lines.at(-1) ??
    'it says nothing'
  );
}
