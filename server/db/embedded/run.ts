import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RunAs } from './account.js';
import { EmbeddedDatabaseError } from './error.js';

/** Fixed: the caller's PATH is not used. */
export const PATH = '/usr/local/bin:/usr/bin:/bin';

type RunOptions = {
  as: RunAs;
  /** Passed as PGDATA: pg_ctl hands -D to a shell. */
  clusterDir?: string;
  /** For a command that leaves a server behind. */
  outputFd?: number;
  /** Called once the command runs. */
  underWay?: () => void;
};

/** No PGPORT of the caller; own session, against Ctrl-C at shutdown. */
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

/** spawn takes the numbers signed. */
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

/** The line that says why: the last FATAL, else the last specific one. */
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
