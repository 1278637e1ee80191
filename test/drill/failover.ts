// The primary of a cluster fails again and again while a board is written and
// read: `npm run drill:failover -- --kills 20 --seed 7`.
import { parseArgs } from 'node:util';
import { startCluster, stopCluster } from '../support/cluster.js';
import { randomOf } from '../support/random.js';
import { until } from '../support/until.js';
import { FAULTS, type Fault } from './host.js';
import { loseTheTail } from './lost-tail.js';
import { findPrograms } from './programs.js';
import {
  type Failover,
  failoverReport,
  missedMarks,
  writeReport,
} from './report.js';
import { Stage } from './stage.js';

const WRITERS = 4;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [kills, seed] = [Number(values.kills), Number(values.seed)];

/** Hurts the primary, and waits until all is whole again. */
async function failOver(stage: Stage, fault: Fault): Promise<Failover> {
  const { cluster, writers, audience } = stage;
  const primary = await cluster.primary();
  if (primary === null) throw new Error('no host is the primary');
  const at = await primary.suffer(fault);
  // What was asked for before could still have been answered by the primary.
  const answered = () =>
    writers.history.find(
      ({ op, res, t }) => op === 'publish' && res.kind === 'ok' && t > at,
    )?.end;
  await until('writes again', () => answered() !== undefined);
  const writesMs = (answered() ?? at) - at;
  await writers.progress(20);
  await primary.recover();
  await stage.whole();
  await writers.progress(20);
  return { fault, writesMs, gap: audience.longestGap(at) };
}

const programs = findPrograms(['patroni', 'etcd', 'haproxy']);
await startCluster();
const stage = await Stage.create({ programs, seed, writers: WRITERS });
const random = randomOf(seed + 1);
const failovers: Failover[] = [];
try {
  const { writers, audience } = stage;
  await stage.begin();
  await stage.whole();
  for (let n = 0; n < kills; n += 1) {
    await writers.progress(10 + Math.floor(random() * 100));
    const fault = FAULTS[n % FAULTS.length] ?? 'killed';
    const one = await failOver(stage, fault);
    failovers.push(one);
    const { writesMs, gap } = one;
    console.log(
      `${n + 1} ${fault}: writes after ${writesMs.toFixed(0)} ms, reads after ${gap.ms.toFixed(0)} ms (${gap.why})`,
    );
  }
  await writers.stop();
  writers.history.push(...(await audience.stop()));
  const outcome = await writers.check();
  outcome.violations.push(...audience.violations);
  const tail = await loseTheTail(stage);
  const facts = { seed, programs, failovers, outcome, audience, writers, tail };
  await writeReport('failover.md', await failoverReport(facts));
  const missed = missedMarks(facts);
  for (const one of missed) console.log(one);
  process.exitCode = missed.length === 0 ? 0 : 1;
} catch (error) {
  for (const { node } of stage.processes) console.log(node.said.slice(-4000));
  throw error;
} finally {
  await stage.remove();
  await stopCluster();
}
