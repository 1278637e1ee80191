import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ready, verifySignature } from '../protocol/signing.js';
import { parseVkey, type Vkey } from '../protocol/vkey.js';
import { Board } from '../server/board.js';
import { parseConfig } from '../server/config.js';
import { silentLogger } from '../server/logger.js';
import { LOG_VKEY, signedEntries } from '../test/client/support/signed-log.js';
import { insertPeer } from '../test/mesh/support/two-boards.js';
import { bareMessages, cpuSeconds, median } from './bare-messages.js';
import type { BareMessage } from './bare-work.js';
import { databaseCpuMs } from './database-cpu.js';

/**
 * Row M1: a mirror takes in so many signed messages, texts and all, from an
 * origin in another process into the embedded database. The reference, the
 * signatures alone on one core, runs before and after each run in this very
 * process; each run begins with an empty database.
 */
const COUNT = Number(process.argv[2] ?? 100_000);
const RUNS = Number(process.env.BENCH_RUNS ?? 3);
const BARE = Math.min(COUNT, 10_000);

type Origin = { port: number; size: number };

function vkey(): Vkey {
  const parsed = parseVkey(LOG_VKEY);
  if (!parsed.ok) throw new Error('no verifier key');
  return parsed.value;
}

/** Wall and processor seconds that the bare signatures of BARE take. */
function bare(messages: readonly BareMessage[]) {
  const [begun, used] = [performance.now(), process.cpuUsage()];
  for (const { signature, statement, key } of messages.slice(0, BARE)) {
    if (!verifySignature(signature, statement, key)) throw new Error('bad');
  }
  return { wall: (performance.now() - begun) / 1000, cpu: cpuSeconds(used) };
}

async function ingest({ port, size }: Origin) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'reserve-bench-'));
  const config = parseConfig({
    PORT: '0',
    BASE_URL: 'http://127.0.0.1:8080',
    DATA_DIR: dataDir,
    MESH_ALLOW_HTTP: 'on',
    MESH_ALLOW_PRIVATE: 'on',
  });
  const board = await Board.create(config, { log: silentLogger });
  await board.start();
  try {
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
    for (;;) {
      const [row] = await context.reads.query<{ size: number }>(
        'SELECT size FROM log_state WHERE origin_id = $1',
        [originId],
      );
      if (row?.size === size) break;
      await setTimeout(10);
    }
    const wall = (performance.now() - begun) / 1000;
    const node = cpuSeconds(used);
    const db = ((await databaseCpuMs(dataDir)) - database) / 1000;
    const [row] = await context.reads.query<{ good: number }>(
      `SELECT count(*)::int AS good FROM mirror_message
       WHERE origin_id = $1 AND status = 'ok'`,
      [originId],
    );
    if (row?.good !== COUNT) throw new Error(`only ${row?.good} messages`);
    return { wall, node, db };
  } finally {
    await board.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await ready;
const messages = bareMessages(signedEntries(COUNT));
// Threads judge only what is compiled, so that is what `npm run` starts.
const COMPILED = import.meta.url.endsWith('.js');
const child = fork(
  fileURLToPath(
    new URL(`./mirror-origin.${COMPILED ? 'js' : 'ts'}`, import.meta.url),
  ),
  [String(COUNT)],
  { execArgv: COMPILED ? [] : ['--import', 'tsx'] },
);
const origin = await new Promise<Origin>((resolve, reject) => {
  child.once('message', (message) => resolve(message as Origin));
  child.once('exit', (code) => reject(new Error(`origin ended: ${code}`)));
});
const ratios: number[] = [];
const us = (seconds: number, count: number) =>
  Math.round((seconds / count) * 1e6);
try {
  bare(messages); // compiled before it is measured
  for (let run = 1; run <= RUNS; run += 1) {
    const before = bare(messages);
    const { wall, node, db } = await ingest(origin);
    const after = bare(messages);
    const least = (before.wall + after.wall) / 2 / BARE;
    const leastCpu = (before.cpu + after.cpu) / 2 / BARE;
    const ratio = (least * COUNT) / wall;
    ratios.push(ratio);
    console.log(
      `run ${run}: verify ${us(least, 1)} µs (CPU ${us(leastCpu, 1)}), ingest ${us(wall, COUNT)} µs (CPU node ${us(node, COUNT)}, database ${us(db, COUNT)}), ratio ${ratio.toFixed(2)}; load ${os.loadavg()[0]?.toFixed(1)}`,
    );
  }
  console.log(`${COUNT} messages, median ${median(ratios).toFixed(2)}`);
} finally {
  child.disconnect();
}
