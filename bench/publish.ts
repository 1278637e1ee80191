import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Board } from '../server/board.js';
import { parseConfig } from '../server/config.js';
import { silentLogger } from '../server/logger.js';
import { databaseCpuMs } from './database-cpu.js';

/**
 * Full publishes (preview and publish, limits lifted) per second from 32
 * clients in a second process, on the embedded database made for the run. The
 * time that node and database spend on one is printed beside it, because that
 * hardly depends on what else the machine does.
 */
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 32);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const LIFTED = 1_000_000_000;

type Result = { published: number };

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'reserve-bench-'));
const limits = Object.fromEntries(
  [
    'previews_per_network_hour',
    'publish_attempts_per_network_minute',
    'writes_per_network_minute',
    'writes_per_network_hour',
    'writes_per_board_minute',
    'topics_per_source_hour',
    'topics_per_source_day',
  ].map((name) => [name, LIFTED]),
);
const config = parseConfig({
  PORT: '0',
  BASE_URL: 'http://127.0.0.1:8080',
  DATA_DIR: dataDir,
  BOARD_LIMITS: JSON.stringify(limits),
});
const board = await Board.create(config, { log: silentLogger });
const port = await board.start();
const databaseBefore = await databaseCpuMs(dataDir);
const nodeBefore = process.cpuUsage();
try {
  const result = await new Promise<Result>((resolve, reject) => {
    const load = fork(
      fileURLToPath(new URL('./publish-load.ts', import.meta.url)),
      [`http://127.0.0.1:${port}`, String(CLIENTS), String(SECONDS)],
      { execArgv: ['--import', 'tsx'] },
    );
    load.once('message', (message) => resolve(message as Result));
    load.once('exit', (code) => reject(new Error(`load ended: ${code}`)));
  });
  const { user, system } = process.cpuUsage(nodeBefore);
  const database = (await databaseCpuMs(dataDir)) - databaseBefore;
  const each = (ms: number) =>
    Math.round((ms / result.published) * 1000) / 1000;
  const cpu_ms = { node: each((user + system) / 1000), db: each(database) };
  const load = os.loadavg().map((value) => Math.round(value * 10) / 10);
  console.log(JSON.stringify({ ...result, cpu_ms, load }, null, 2));
} finally {
  await board.stop();
  await rm(dataDir, { recursive: true, force: true });
}
