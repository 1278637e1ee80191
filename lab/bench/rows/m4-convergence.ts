import { randomOf } from '../corpus/random.js';
import { simulate } from '../mesh-sim.js';
import { atMost, type Figure, figure, type Row, rounded } from '../row.js';
import type { Lab } from '../set-up/lab.js';

const NODES = [10, 30, 100, 300, 1000];
const SHORT_NODES = [10];
const MOST = 1.2;
const MESSAGES = { before: 40, during: 200 };

export const convergenceRow: Row = {
  id: 'M4',
  section: 'mesh',
  work: 'a mesh of simulated links converges after a partition',
  reference: 'a direct copy to each node; the depth of the tree',
  marks: `≤ ${MOST} of its bytes; no more rounds than it is deep`,
  sameWithoutFastPaths: 'simulated nodes serve no HTTP',
  run,
};

async function run(lab: Lab) {
  const figures: Figure[] = [];
  const notes: string[] = [];
  const sizes = lab.options.short ? SHORT_NODES : NODES;
  for (const [at, nodes] of sizes.entries()) {
    lab.at('M4', at, sizes.length);
    const random = randomOf(1, nodes);
    const found = await simulate({ nodes, ...MESSAGES, random });
    const { ratio, rounds, depth, bytes, ms } = found;
    figures.push(
      figure(`${nodes} nodes, bytes`, [bytes / 1e6, 'MB'], {
        reference: ['a direct copy to each', bytes / ratio / 1e6],
        ratio,
        mark: atMost(ratio, MOST, ' ×'),
      }),
      figure(`${nodes} nodes, rounds`, [rounds, ''], {
        reference: ['depth of the tree', depth, 'links'],
        mark: { text: 'no more than it is deep', met: rounds <= depth },
      }),
    );
    notes.push(`${nodes} nodes: ${rounded(ms / 1000, 1)} s in this process`);
  }
  return { figures, notes };
}
