import { availableParallelism } from 'node:os';
import { until } from '../../../test/support/until.js';
import { median } from '../load/figures.js';
import type { Origin, OriginQuestion } from '../processes/mirror-origin.js';
import type { SignaturesQuestion } from '../processes/signatures.js';
import { atLeast, type Row, rounded } from '../row.js';
import { beside } from '../set-up/by-turns.js';
import { databaseCpuMs } from '../set-up/database-processes.js';
import type { Lab } from '../set-up/lab.js';
import { meshBoard } from './mesh-board.js';

const LEAST_OF_ONE = 0.7;
const LEAST_OF_ALL = 0.4;
/** Signatures that the references verify before and after each run. */
const BARE = 10_000;
/** Of all cores, no more count. */
const CORES = Math.min(4, availableParallelism());
const WITHIN_MS = 600_000;

export const ingestRow: Row = {
  id: 'M1',
  section: 'mesh',
  work: 'a mirror takes in a log of signed messages, texts and all',
  reference: 'their signatures alone, on one core and on up to four',
  marks: `≥ ${LEAST_OF_ONE}; ≥ ${LEAST_OF_ALL}`,
  sameWithoutFastPaths: 'a mirror serves nobody while it takes in',
  run,
};

/** Microseconds for each message; `node` and `database` are of processors. */
type Ingest = { wall: number; node: number; database: number };

async function run(lab: Lab) {
  const { messages, runs } = lab.options.pace.ingest;
  const signatures = await verifiers(lab, Math.min(messages, BARE));
  const question: OriginQuestion = { messages };
  const origin = await lab.child('mirror-origin').ask<Origin>(question);
  await signatures(CORES); // compiled before it counts
  const one: number[] = [];
  const all: number[] = [];
  const ingests: Ingest[] = [];
  for (let n = 0; n < runs; n += 1) {
    const before = [await signatures(1), await signatures(CORES)] as const;
    ingests.push(await ingest(lab, origin, messages));
    one.push((before[0] + (await signatures(1))) / 2);
    all.push((before[1] + (await signatures(CORES))) / 2);
  }
  const found = ingests.map(({ wall }) => wall);
  const figure = (what: string, cores: number, bare: number[], least: number) =>
    beside({
      what,
      unit: 'messages/s',
      found,
      reference: {
        what: `signatures alone on ${cores === 1 ? 'one' : cores}`,
        unit: 'signatures/s',
        found: bare,
      },
      of: (us) => 1e6 / us,
      mark: (ratio) => atLeast(ratio, least),
    });
  const spent = (of: keyof Ingest) =>
    rounded(median(ingests.map((each) => each[of])), 0);
  return {
    figures: [
      figure('beside one core', 1, one, LEAST_OF_ONE),
      figure('beside all cores', CORES, all, LEAST_OF_ALL),
    ],
    notes: [
      `processor time for each message: ${spent('node')} µs of the node, ${spent('database')} µs of the database`,
    ],
  };
}

/** What verifies all signatures on so many cores: microseconds for each. */
async function verifiers(lab: Lab, messages: number) {
  const children = Array.from({ length: CORES }, () => lab.child('signatures'));
  const ask = (n: number, question: SignaturesQuestion) =>
    children[n]?.ask(question);
  await Promise.all(children.map((_, n) => ask(n, { ask: 'make', messages })));
  return async (cores: number): Promise<number> => {
    const share = Math.ceil(messages / cores);
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: cores }, (_, n) =>
        ask(n, { ask: 'verify', from: n * share, until: (n + 1) * share }),
      ),
    );
    return ((performance.now() - begun) / messages) * 1e3;
  };
}

async function ingest(
  lab: Lab,
  { name, url, logVkey, size }: Origin,
  messages: number,
): Promise<Ingest> {
  const board = await meshBoard(lab);
  const cpu = async () => ({
    node: (await board.usage()).cpuMs,
    database: await databaseCpuMs(lab.cluster.folder),
  });
  const before = await cpu();
  const begun = performance.now();
  await board.ask({ ask: 'mirror', name, url, logVkey });
  const isWhole = async () => {
    const done = await board.ask<number>({ ask: 'mirrored' });
    lab.at('M1', done, size);
    return done >= size;
  };
  await until('a whole mirror', isWhole, WITHIN_MS);
  const wall = performance.now() - begun;
  const after = await cpu();
  const [row] = await lab.cluster.query<{ good: number }>(
    board.database,
    "SELECT count(*)::int AS good FROM mirror_message WHERE status = 'ok'",
  );
  if (row?.good !== messages) throw new Error(`only ${row?.good} messages`);
  await board.stop();
  const each = (ms: number) => (ms / messages) * 1e3;
  return {
    wall: each(wall),
    node: each(after.node - before.node),
    database: each(after.database - before.database),
  };
}
