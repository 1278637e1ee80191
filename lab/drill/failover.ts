// The primary of a cluster fails again and again while a board is written and
// read: `npm run drill:failover -- --kills 20 --seed 7`.
import { findPrograms } from '../../test/support/programs.js';
import { randomOf } from '../../test/support/random.js';
import { until } from '../../test/support/until.js';
import { drill, options } from './drill.js';
import { FAULTS, type Fault } from './host.js';
import { loseTheTail } from './lost-tail.js';
import {
  type Failover,
  type FailoverFacts,
  failoverReport,
  missedMarks,
  writeReport,
} from './report.js';
import { Stage } from './stage.js';

const WRITERS = 4;

const { kills, seed } = options('kills', 20);

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

async function failOften(stage: Stage, failovers: Failover[]): Promise<void> {
  const random = randomOf(seed + 1);
  await stage.begin();
  stage.audience.startToFollow();
  await stage.whole();
  for (let n = 0; n < kills; n += 1) {
    await stage.writers.progress(10 + Math.floor(random() * 100));
    const fault = FAULTS[n % FAULTS.length] ?? 'killed';
    const one = await failOver(stage, fault);
    failovers.push(one);
    const { writesMs, gap } = one;
    console.log(
      `${n + 1} ${fault}: writes after ${writesMs.toFixed(0)} ms, reads after ${gap.ms.toFixed(0)} ms (${gap.why})`,
    );
  }
}

const programs = findPrograms(['patroni', 'etcd', 'haproxy']);
const setting = { programs, seed, writers: WRITERS };
await drill(() =>
  Stage.use(setting, async (stage) => {
    const { writers, audience } = stage;
    const facts: FailoverFacts = {
      ...{ seed, programs, audience, writers },
      ...{ failovers: [], outcome: null, tail: null, broken: null },
    };
    try {
      await failOften(stage, facts.failovers);
      facts.outcome = await stage.check();
      facts.tail = await loseTheTail(stage);
    } catch (error) {
      for (const { node } of stage.processes) {
        console.log(node.said.slice(-4000));
      }
      console.log(error);
      facts.broken = error instanceof Error ? error.message : String(error);
    }
    await writeReport('failover.md', failoverReport(facts));
    const missed = missedMarks(facts);
    for (const one of missed) console.log(one);
    process.exitCode = missed.length === 0 ? 0 : 1;
  }),
);
// Writers of a drill that ended early still ask.
process.exit();
