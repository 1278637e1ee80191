import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { accountFor } from '../../../server/db/embedded/account.js';
import { binariesFor } from '../../../server/db/embedded/binaries.js';
import { makePrivate } from '../../../server/db/embedded/folders.js';
import { temporaryFolder } from '../../../server/db/embedded/reach.js';
import { run as runProgram } from '../../../server/db/embedded/run.js';
import { median } from '../load/figures.js';
import { atMost, type Figure, figure, type Row, rounded } from '../row.js';
import { type NodeMemory, nodeMemory } from '../set-up/database-processes.js';
import type { Lab } from '../set-up/lab.js';
import { BEHIND_PROXY, liftedLimits } from '../set-up/settings.js';
import { zipfOver } from './zipf-reads.js';

const SEED = 1;
const CLIENTS = 32;
const PER_PAGE = 100;

/** W1, R1 and R2 on a node that began empty, with the threads of W1. */
async function loadNode(
  lab: Lab,
  port: number,
  seconds: number,
): Promise<void> {
  const options = { seconds, seed: SEED, from: 1 };
  await lab.load({
    kind: 'publish',
    ports: [port],
    clients: CLIENTS,
    ...options,
  });
  const topics = await topicsOf(port);
  const paths = zipfOver(topics, SEED).map((id) => `/api/thread/${id}`);
  const [hot = ''] = paths;
  for (const asked of [[hot], paths]) {
    await lab.load({
      kind: 'get',
      ports: [port],
      paths: asked,
      connections: CLIENTS,
      seconds,
    });
  }
}

type Page = {
  data: { id: number }[];
  next_before: number | null;
  snapshot: number;
};

async function topicsOf(port: number): Promise<number[]> {
  const topics: number[] = [];
  let more = '';
  for (;;) {
    const path = `/api/threads?limit=${PER_PAGE}&preview=1${more}`;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    const page = (await answer.json()) as Page;
    topics.push(...page.data.map(({ id }) => id));
    if (page.next_before === null) return topics;
    more = `&before=${page.next_before}&snapshot=${page.snapshot}`;
  }
}

/** Seconds. */
type BareStart = {
  /** initdb, the server's first start, and a Node that does nothing. */
  cold: number;
  /** The server's next start, and that Node. */
  warm: number;
};

/** What the start of a node cannot cost less than, with no setting at all. */
async function bareStart(): Promise<BareStart> {
  const folder = await mkdtemp(path.join(temporaryFolder(), 'reserve-bare-'));
  const clusterDir = path.join(folder, 'pg');
  const as = accountFor(clusterDir);
  if (as !== null) await chown(folder, as.uid, as.gid);
  const { initdb, pgCtl } = await binariesFor(as, folder);
  const program = async (command: string, ...args: string[]) => {
    const { code, output } = await runProgram(command, args, {
      as,
      clusterDir,
    });
    if (code !== 0) throw new Error(`${command}: ${output}`);
  };
  const place = `-c listen_addresses='' -c unix_socket_directories=${folder}`;
  const log = path.join(folder, 'log');
  const start = () => program(pgCtl, 'start', '-w', '-o', place, '-l', log);
  const stop = () => program(pgCtl, 'stop', '-w', '-m', 'fast');
  try {
    await makePrivate(clusterDir, as);
    const making = await secondsOf(async () => {
      await program(initdb, '--auth=trust');
      await start();
    });
    await stop();
    const starting = await secondsOf(start);
    await stop();
    const node = await secondsOf(emptyNode);
    return { cold: making + node, warm: starting + node };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

async function emptyNode(): Promise<void> {
  const [code] = await once(spawn(process.execPath, ['-e', '0']), 'exit');
  if (code !== 0) throw new Error(`node ended: ${code}`);
}

const COMPILED = import.meta.url.endsWith('.js');
/** What `npm start` runs, where it was built. */
const MAIN = fileURLToPath(
  new URL(
    COMPILED ? '../../../node/main.js' : '../../../server/main.ts',
    import.meta.url,
  ),
);

/** A node with a database of its own, as an operator starts it. */
type StartedNode = {
  pid: number;
  port: number;
  seconds: number;
  stop(): Promise<void>;
};

async function startNode(
  dataDir: string,
  fastPaths: 'on' | 'off',
): Promise<StartedNode> {
  const begun = performance.now();
  const args = COMPILED ? [] : ['--import', '@oxc-node/core/register'];
  const node = spawn(process.execPath, [...args, MAIN, 'start', '--json'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      BOARD_LIMITS: liftedLimits(),
      FAST_PATHS: fastPaths,
      ...BEHIND_PROXY,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(node, 'exit').then(([code]) => {
    throw new Error(`the node ended: ${code}`);
  });
  ended.catch(() => {}); // it counts until the node is ready
  try {
    const lines = createInterface({ input: node.stdout });
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [
      string,
    ];
    const { port } = JSON.parse(line) as { port: number };
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    if (ready.status !== 200) throw new Error(`/readyz: ${ready.status}`);
    await ready.arrayBuffer();
    const seconds = (performance.now() - begun) / 1000;
    return { pid: node.pid ?? 0, port, seconds, stop: () => stop(node) };
  } catch (error) {
    await stop(node);
    throw error;
  }
}

async function stop(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return;
  const ended = once(node, 'exit');
  node.kill('SIGTERM');
  await ended;
}

const COLD_S = 3;
const WARM_S = 1;
const IDLE_MB = 150;
const AFTER_LOAD_MB = 180;

export const startRow: Row = {
  id: 'C1',
  section: 'node',
  work: 'start of a node with its own database, and its memory',
  reference: 'start of a bare PostgreSQL and of an empty node process',
  marks: `≤ ${COLD_S} s cold, ≤ ${WARM_S} s warm; memory ≤ ${IDLE_MB} MB idle, ≤ ${AFTER_LOAD_MB} MB 60 s after ten seconds each of W1, R1 and R2`,
  run,
};

/** Of one round: starts in seconds, and what they cost at least. */
type Round = { cold: number; warm: number; bare: BareStart };
/** Null where there is no /proc. */
type Memory = { idle: NodeMemory; afterLoad: NodeMemory } | null;

async function run(lab: Lab) {
  const { pace } = lab.options;
  const times = lab.fastPaths === 'on' ? pace.starts : pace.offRounds;
  const rounds: Round[] = [];
  let memory: Memory = null;
  for (let round = 0; round < times; round += 1) {
    lab.at('C1', round, times);
    const bare = await bareStart();
    const name = path.join(temporaryFolder(), 'reserve-start-');
    const dataDir = await mkdtemp(name);
    let node: StartedNode | null = null;
    try {
      node = await startNode(dataDir, lab.fastPaths);
      const cold = node.seconds;
      await node.stop();
      node = await startNode(dataDir, lab.fastPaths);
      rounds.push({ cold, warm: node.seconds, bare });
      if (round === 0) memory = await memoryOf(lab, node, dataDir);
    } finally {
      await node?.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  const starts = [
    startFigure('cold, the database is made', 'cold', rounds, COLD_S),
    startFigure('warm', 'warm', rounds, WARM_S),
  ];
  if (memory === null) {
    return { figures: starts, notes: ['memory: only where there is /proc'] };
  }
  const { idle, afterLoad } = memory;
  return {
    figures: [
      ...starts,
      memoryFigure('memory, idle', idle, IDLE_MB),
      memoryFigure('memory after the loads', afterLoad, AFTER_LOAD_MB),
    ],
    notes: [
      'of memory, shared pages are divided among processes',
      `idle: ${parts(idle)}`,
      `${pace.afterLoadMs / 1000} s after ${pace.loadSeconds} s each of W1, R1 and R2: ${parts(afterLoad)}`,
    ],
  };
}

async function memoryOf(
  lab: Lab,
  { pid, port }: StartedNode,
  dataDir: string,
): Promise<Memory> {
  const { idleMs, loadSeconds, afterLoadMs } = lab.options.pace;
  await pause(idleMs);
  const idle = await nodeMemory(pid, dataDir);
  await loadNode(lab, port, loadSeconds);
  await pause(afterLoadMs);
  const afterLoad = await nodeMemory(pid, dataDir);
  return idle === null || afterLoad === null ? null : { idle, afterLoad };
}

function startFigure(
  what: string,
  of: 'cold' | 'warm',
  rounds: readonly Round[],
  most: number,
): Figure {
  const value = median(rounds.map((round) => round[of]));
  const bare = median(rounds.map((round) => round.bare[of]));
  const ratio = median(rounds.map((round) => round[of] / round.bare[of]));
  const reference: [string, number] = ['a bare start', bare];
  const mark = atMost(value, most, ' s');
  return figure(what, [value, 's'], { reference, ratio, mark });
}

function memoryFigure(what: string, memory: NodeMemory, most: number): Figure {
  const all = (memory.node + memory.database) / 1e6;
  return figure(what, [all, 'MB', 0], { mark: atMost(all, most, ' MB') });
}

function parts({ node, database }: NodeMemory): string {
  return `node ${rounded(node / 1e6, 0)} MB, database ${rounded(database / 1e6, 0)} MB`;
}
