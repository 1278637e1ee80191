import { simulate } from './mesh-sim.js';

/**
 * Row M4 of the bench: a mesh of N nodes in one process, the node's own pull
 * code over memory and simulated links. A partition cuts the links between two
 * random halves while the origin writes; after it heals, how many links in a
 * row the last message has to cross, and how many bytes move in all, measured
 * against a direct copy of the page to every node.
 */
const SIZES = (process.env.BENCH_NODES ?? '10,30,100,300,1000')
  .split(',')
  .map(Number);
const MARK = 1.2;

let seed = Number(process.env.SEED ?? 1);
function random(): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return seed / 0x7fffffff;
}

const rows = [];
for (const nodes of SIZES) {
  const result = await simulate({ nodes, before: 40, during: 200, random });
  const { bytes, ratio, ms, ...counts } = result;
  console.log(
    `${nodes} nodes: ${result.rounds} rounds, ${ratio.toFixed(3)} × a copy`,
  );
  rows.push({
    ...counts,
    MB: Math.round(bytes / 1e4) / 100,
    'x copy': Math.round(ratio * 1000) / 1000,
    seconds: Math.round(ms / 100) / 10,
    ok: ratio <= MARK && result.rounds <= result.depth,
  });
}
console.table(rows);
if (rows.some(({ ok }) => !ok)) process.exitCode = 1;
process.exit();
