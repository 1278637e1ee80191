import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestClock } from './clock.js';
import { Daemon } from './daemon.js';
import { freePort } from './free-port.js';
import { shippedProxy } from './haproxy.js';
import { programOf } from './programs.js';
import { until } from './until.js';
import type { Waits } from './waits.js';

/** `npm run test:cluster` names a standby of the tests' database here. */
export const REPLICA = process.env.TEST_REPLICA_URL;

export type Start = {
  env: Record<string, string>;
  how: Record<string, unknown>;
  /** A file with the time of the test's clock. */
  clockFile: string;
};

/** What is asked of a second board; its end where nothing else is. */
export type Request = {
  name: string;
  start?: Start;
  waits?: Waits;
  flush?: true;
};

export type Pair = {
  port: number;
  waits(what: Waits): Promise<number>;
  flush(): Promise<unknown>;
  stop(): Promise<void>;
};

/** The setting that makes a board read from the standby, where there is one. */
export function replicaOf(databaseUrl: string): Record<string, string> {
  if (REPLICA === undefined) return {};
  const url = new URL(REPLICA);
  url.pathname = new URL(databaseUrl).pathname;
  // A cached answer may be 250 ms old on the other process.
  return { DATABASE_REPLICA_URLS: url.href, FAST_PATHS: 'off' };
}

let other: ChildProcess | null = null;

/** One process beside this one has the second boards of all its tests. */
async function otherProcess(): Promise<ChildProcess> {
  if (other !== null) return other;
  const file = new URL('second-board.ts', import.meta.url);
  const child = fork(file, { execArgv: ['--import=@oxc-node/core/register'] });
  await once(child, 'message');
  other = child;
  return child;
}

let asked = 0;

async function ask(request: Request): Promise<number> {
  const child = await otherProcess();
  asked += 1;
  const id = asked;
  return await new Promise((resolve, reject) => {
    const hear = (answer: { id: number; value?: number; error?: string }) => {
      if (answer.id !== id) return;
      child.off('message', hear);
      if (answer.error === undefined) resolve(answer.value ?? 0);
      else reject(new Error(answer.error));
    };
    child.on('message', hear);
    child.send({ id, ...request });
  });
}

/** And an HAProxy of deploy/cluster before both; null without a standby. */
export async function pairUp(first: {
  env: Record<string, string>;
  how: Record<string, unknown>;
  clock: TestClock;
  port: number;
}): Promise<Pair | null> {
  if (REPLICA === undefined) return null;
  const { how, clock } = first;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pair-'));
  const clockFile = path.join(folder, 'clock');
  const file = openSync(clockFile, 'w');
  const tell = (ms: number) => void writeSync(file, `${ms}`.padEnd(20), 0);
  tell(clock.now());
  clock.moved = tell;
  const env = { ...first.env, DATA_DIR: path.join(folder, 'data') };
  const name = folder;
  const second = await ask({ name, start: { env, how, clockFile } });
  const port = await freePort();
  const config = path.join(folder, 'haproxy.cfg');
  await writeFile(config, await shippedProxy(port, [first.port, second]));
  const haproxy = new Daemon({
    file: programOf('haproxy'),
    line: ['-db', '-f', config],
    log: path.join(folder, 'haproxy.log'),
  });
  haproxy.start();
  await until('an answer of HAProxy', async () => {
    haproxy.assertRuns();
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(
      () => null,
    );
    await answer?.text();
    return answer?.status === 200;
  });
  return {
    port,
    waits: async (waits) => await ask({ name, waits }),
    flush: async () => await ask({ name, flush: true }),
    stop: async () => {
      await haproxy.end();
      await ask({ name });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
