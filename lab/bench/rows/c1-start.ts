import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../../../server/db/embedded/reach.js';
import { median } from '../load/figures.js';
import {
  atMost,
  type Figure,
  figure,
  type Outcome,
  type Row,
  rounded,
} from '../row.js';
import { type BareStart, bareStart } from '../set-up/bare-start.js';
import { type NodeMemory, nodeMemory } from '../set-up/database-processes.js';
import type { Lab } from '../set-up/lab.js';
import { loadNode } from './loads-of-a-node.js';
import { type StartedNode, startNode } from './started-node.js';

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

async function run(lab: Lab): Promise<Outcome> {
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
