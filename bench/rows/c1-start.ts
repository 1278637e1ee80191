import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../server/db/embedded/reach.js';
import type { Lab } from '../lab/lab.js';
import { nodeMemory } from '../lab/memory.js';
import { median } from '../load/figures.js';
import {
  atMost,
  type Figure,
  type Outcome,
  type Row,
  rounded,
} from '../row.js';

const COMPILED = import.meta.url.endsWith('.js');
/** What `npm start` runs, where it was built. */
const MAIN = fileURLToPath(
  new URL(
    COMPILED ? '../../node/main.js' : '../../server/main.ts',
    import.meta.url,
  ),
);
const COLD_S = 3;
const WARM_S = 1;
const MOST_MB = 200;
/** Of doing nothing, before memory counts as that of an idle node. */
const IDLE_MS = 5000;

export const startRow: Row = {
  id: 'C1',
  section: 'node',
  work: 'start of a node with its own database, and its memory when idle',
  run,
};

type Started = { node: ChildProcess; seconds: number };

/** From the command to the first good answer of /readyz. */
async function start(dataDir: string): Promise<Started> {
  const begun = performance.now();
  const args = COMPILED ? [] : ['--import', 'tsx'];
  const node = spawn(process.execPath, [...args, MAIN, 'start', '--json'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(
    createInterface({ input: node.stdout }),
    'line',
  )) as [string];
  const { port } = JSON.parse(line) as { port: number };
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (ready.status !== 200) throw new Error(`/readyz: ${ready.status}`);
  await ready.arrayBuffer();
  return { node, seconds: (performance.now() - begun) / 1000 };
}

async function stop(node: ChildProcess): Promise<void> {
  const ended = once(node, 'exit');
  node.kill('SIGTERM');
  await ended;
}

async function run(lab: Lab): Promise<Outcome> {
  const { short } = lab.options;
  const { rounds } = lab.slice;
  const cold: number[] = [];
  const warm: number[] = [];
  let memory: Awaited<ReturnType<typeof nodeMemory>> = null;
  for (let round = 0; round < rounds; round += 1) {
    lab.at('C1', round, rounds);
    const dataDir = await mkdtemp(
      path.join(temporaryFolder(), 'reserve-start-'),
    );
    try {
      const first = await start(dataDir);
      cold.push(first.seconds);
      await stop(first.node);
      const second = await start(dataDir);
      warm.push(second.seconds);
      if (round === 0) {
        await pause(short ? 0 : IDLE_MS);
        memory = await nodeMemory(second.node.pid ?? 0, dataDir);
      }
      await stop(second.node);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  const figures = [
    seconds('cold, the database is made', cold, COLD_S),
    seconds('warm', warm, WARM_S),
  ];
  if (memory === null) {
    return { figures, notes: ['memory: only where there is /proc'] };
  }
  const { node, database } = memory;
  const all = (node + database) / 1e6;
  figures.push({
    what: 'memory of node and database',
    value: rounded(all, 0),
    unit: 'MB',
    mark: atMost(all, MOST_MB, ' MB'),
  });
  const each = `node ${rounded(node / 1e6, 0)} MB, database ${rounded(database / 1e6, 0)} MB`;
  return { figures, notes: [`${each}; shared pages divided among processes`] };
}

function seconds(what: string, times: readonly number[], most: number): Figure {
  const value = median(times);
  return {
    what,
    value: rounded(value),
    unit: 's',
    mark: atMost(value, most, ' s'),
  };
}
