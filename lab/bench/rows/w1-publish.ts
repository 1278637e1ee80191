import os from 'node:os';
import { median } from '../load/figures.js';
import {
  atLeast,
  atMost,
  type Figure,
  figure,
  type Row,
  rounded,
} from '../row.js';
import { beside, byTurns, perSecond, toldOf } from '../set-up/by-turns.js';
import { databaseCpuMs } from '../set-up/database-processes.js';
import type { Lab } from '../set-up/lab.js';
import { BEHIND_PROXY } from '../set-up/settings.js';
import { bareInserts, bareReference } from './bare-insert.js';
import { publisher, warm } from './publisher.js';

const MARKS = [
  { clients: 1, least: 0.045 },
  { clients: 32, least: 0.055 },
];
/** Of the pair, by the machine's cores. */
const SLOWEST_MS = { two: 80, more: 50 };

/** Processor time in ms. */
type Cost = { node: number; database: number };

export const publishRow: Row = {
  id: 'W1',
  section: 'writes',
  work: 'full publishes: preview, challenge, publish, signed receipt',
  reference: 'a committed insert of the same text',
  marks: `${MARKS.map(({ clients, least }) => `≥ ${least} at ${clients}`).join(', ')}; p99 ≤ ${SLOWEST_MS.more} ms, ≤ ${SLOWEST_MS.two} ms on two cores`,
  run,
};

async function run(lab: Lab) {
  const set = await lab.writable();
  const board = await lab.board(set, BEHIND_PROXY);
  const insert = await bareInserts(lab, set);
  const publish = publisher(lab, set, board);
  // Hardly depends on what else the machine does.
  const cpu = async (): Promise<Cost> => ({
    node: (await board.usage()).cpuMs,
    database: await databaseCpuMs(lab.cluster.folder),
  });
  await warm(lab, publish);
  const slowest = os.availableParallelism() > 2 ? 'more' : 'two';
  const figures: Figure[] = [];
  const notes: string[] = [];
  for (const { clients, least } of MARKS) {
    const costs: Cost[] = [];
    const found = await byTurns(lab, `W1, ${clients} clients`, {
      board: async () => {
        const before = await cpu();
        const load = await publish(clients);
        const after = await cpu();
        costs.push({
          node: (after.node - before.node) / load.count,
          database: (after.database - before.database) / load.count,
        });
        return load;
      },
      bare: () => insert(clients),
    });
    const p99 = median(found.board.map((one) => one.p99));
    const what = clients === 1 ? '1 client' : `${clients} clients`;
    figures.push(
      beside({
        what,
        unit: 'publishes/s',
        found: found.board,
        reference: bareReference(found.bare),
        of: perSecond,
        mark: (ratio) => atLeast(ratio, least),
      }),
      figure(`${what}, p99 of the pair`, [p99, 'ms', 1], {
        mark: atMost(p99, SLOWEST_MS[slowest], ' ms'),
      }),
    );
    const each = (of: keyof Cost) =>
      rounded(median(costs.map((cost) => cost[of])), 2);
    notes.push(
      `${what}: ${each('node')} ms of the node's and ${each('database')} ms of the database's processor for one; ${toldOf(found.board)}`,
    );
  }
  return { figures, notes };
}
