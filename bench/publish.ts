import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Board } from '../server/board.js';
import { parseConfig } from '../server/config.js';
import { silentLogger } from '../server/logger.js';

/**
 * Full publishes (preview and publish, limits lifted) per second from 32
 * clients in a second process, on the embedded database made for the run.
 */
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 32);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const LIFTED = 1_000_000_000;

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
try {
  const result = await new Promise<object>((resolve, reject) => {
    const load = fork(
      fileURLToPath(new URL('./publish-load.ts', import.meta.url)),
      [`http://127.0.0.1:${port}`, String(CLIENTS), String(SECONDS)],
      { execArgv: ['--import', 'tsx'] },
    );
    load.once('message', (message) => resolve(message as object));
    load.once('exit', (code) => reject(new Error(`load ended: ${code}`)));
  });
  console.log(JSON.stringify(result, null, 2));
} finally {
  await board.stop();
  await rm(dataDir, { recursive: true, force: true });
}
