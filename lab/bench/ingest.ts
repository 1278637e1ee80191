import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ready } from '../../protocol/signing.js';
import { parseVkey, type Vkey } from '../../protocol/vkey.js';
import { Board } from '../../server/board.js';
import { boundHeapGrowth } from '../../server/cli/heap-growth.js';
import { parseConfig } from '../../server/config.js';
import { temporaryFolder } from '../../server/db/embedded/reach.js';
import { silentLogger } from '../../server/logger.js';
import {
  LOG_VKEY,
  signedEntries,
} from '../../test/client/support/signed-log.js';
import { insertPeer } from '../../test/mesh/support/two-boards.js';
import { bareMessages, cpuSeconds, median } from './bare-messages.js';
import {
  type BareThreads,
  bareThreads,
  COMPILED,
  type Seconds,
} from './bare-threads.js';
import { databaseCpuMs } from './database-cpu.js';

/** Signatures that the reference verifies before and after each run. */
const BARE = 10_000;
/** Of all cores, no more count. */
const CORES = Math.min(4, availableParallelism());
const LOOK_MS = 20;

type Origin = { port: number; size: number };

/** Microseconds for each message; the database's are of processors. */
export type IngestRun = {
  /** Signatures alone: on one core, and on up to four at once. */
  one: Seconds;
  all: Seconds;
  ingest: Seconds & { database: number };
  /** Share of the rate of the signatures alone. */
  ratioOfOne: number;
  ratioOfAll: number;
};

export type IngestFigures = {
  messages: number;
  cores: number;
  runs: IngestRun[];
  /** Medians of all runs. */
  ratioOfOne: number;
  ratioOfAll: number;
};

export type IngestOptions = {
  messages: number;
  runs: number;
  /** Entries stored, of all. */
  onProgress?: (done: number, size: number) => void;
  onRun?: (run: IngestRun, number: number) => void;
};

/**
 * Row M1: a mirror takes in so many signed messages, texts and all, from an
 * origin in another process into the embedded database. The references, the
 * signatures alone on one core and on up to four, run before and after each
 * run; each run begins with an empty database. The threads that the mirror
 * verifies in need compiled code.
 */
export async function measureIngest({
  messages: count,
  runs: wanted,
  onProgress = () => {},
  onRun = () => {},
}: IngestOptions): Promise<IngestFigures> {
  await ready;
  const some = bareMessages(signedEntries(Math.min(count, BARE)));
  const signatures = { hashes: false };
  const one = await bareThreads(some, 1, signatures);
  const all = await bareThreads(some, CORES, signatures);
  const { child, origin } = await startOrigin(count);
  const runs: IngestRun[] = [];
  try {
    await Promise.all([one.run(), all.run()]); // compiled before they count
    const bare = async () => {
      const each = async (threads: BareThreads) =>
        perMessage(await threads.run(), some.length);
      return { one: await each(one), all: await each(all) };
    };
    for (let number = 1; number <= wanted; number += 1) {
      const before = await bare();
      const ingest = await ingestOnce(origin, count, onProgress);
      const after = await bare();
      const run = runOf(ingest, [before, after]);
      runs.push(run);
      onRun(run, number);
    }
  } finally {
    child.disconnect();
    await Promise.all([one.stop(), all.stop()]);
  }
  const ratioOfOne = median(runs.map((run) => run.ratioOfOne));
  const ratioOfAll = median(runs.map((run) => run.ratioOfAll));
  return { messages: count, cores: CORES, runs, ratioOfOne, ratioOfAll };
}

function perMessage({ wall, cpu }: Seconds, count: number): Seconds {
  return { wall: (wall / count) * 1e6, cpu: (cpu / count) * 1e6 };
}

function runOf(
  ingest: IngestRun['ingest'],
  bare: readonly Record<'one' | 'all', Seconds>[],
): IngestRun {
  const mean = (of: 'one' | 'all', what: keyof Seconds) =>
    bare.reduce((sum, both) => sum + both[of][what], 0) / bare.length;
  const both = (of: 'one' | 'all') => ({
    wall: mean(of, 'wall'),
    cpu: mean(of, 'cpu'),
  });
  const [one, all] = [both('one'), both('all')];
  const ratioOfOne = one.wall / ingest.wall;
  const ratioOfAll = all.wall / ingest.wall;
  return { one, all, ingest, ratioOfOne, ratioOfAll };
}

async function startOrigin(
  count: number,
): Promise<{ child: ChildProcess; origin: Origin }> {
  const file = `./mirror-origin.${COMPILED ? 'js' : 'ts'}`;
  const child = fork(
    fileURLToPath(new URL(file, import.meta.url)),
    [String(count)],
    { execArgv: COMPILED ? [] : ['--import', '@oxc-node/core/register'] },
  );
  const origin = await new Promise<Origin>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Origin));
    child.once('exit', (code) => reject(new Error(`origin ended: ${code}`)));
  });
  return { child, origin };
}

function vkey(): Vkey {
  const parsed = parseVkey(LOG_VKEY);
  if (!parsed.ok) throw new Error('no verifier key');
  return parsed.value;
}

async function ingestOnce(
  { port, size }: Origin,
  count: number,
  onProgress: (done: number, size: number) => void,
): Promise<IngestRun['ingest']> {
  const dataDir = await mkdtemp(path.join(temporaryFolder(), 'reserve-bench-'));
  const config = parseConfig({
    PORT: '0',
    BASE_URL: 'http://127.0.0.1:8080',
    DATA_DIR: dataDir,
    MESH_ALLOW_HTTP: 'on',
    MESH_ALLOW_PRIVATE: 'on',
  });
  boundHeapGrowth(); // as a node does
  const board = await Board.create(config, { log: silentLogger });
  try {
    await board.start();
    const { context } = board;
    const log = { vkey: vkey() };
    const facts = {
      name: 'board.bench',
      origin: 'board.bench/log',
      url: `http://127.0.0.1:${port}`,
      identity: '',
      keys: { ...context.keys, log: { ...context.keys.log, ...log } },
    };
    const database = await databaseCpuMs(dataDir);
    const [begun, used] = [performance.now(), process.cpuUsage()];
    const options = { content: 'all' } as const;
    const originId = await context.writes.transaction((tx) =>
      insertPeer(tx, facts, 'mirror', options, Date.now()),
    );
    for (let done = 0; done < size; onProgress(done, size)) {
      await pause(LOOK_MS);
      const [row] = await context.reads.query<{ size: number }>(
        'SELECT size FROM log_state WHERE origin_id = $1',
        [originId],
      );
      done = row?.size ?? 0;
    }
    const wall = (performance.now() - begun) / 1000;
    const cpu = cpuSeconds(used);
    const spent = (await databaseCpuMs(dataDir)) - database;
    const [row] = await context.reads.query<{ good: number }>(
      `SELECT count(*)::int AS good FROM mirror_message
       WHERE origin_id = $1 AND status = 'ok'`,
      [originId],
    );
    if (row?.good !== count) throw new Error(`only ${row?.good} messages`);
    return {
      ...perMessage({ wall, cpu }, count),
      database: (spent / count) * 1e3,
    };
  } finally {
    await board.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
