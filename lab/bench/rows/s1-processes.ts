import os from 'node:os';
import { type LoadFigures, median } from '../load/figures.js';
import {
  atLeast,
  atMost,
  type Figure,
  figure,
  type Row,
  rounded,
} from '../row.js';
import { databaseCpuMs } from '../set-up/database-processes.js';
import type { Lab, RunningBoard } from '../set-up/lab.js';
import { BEHIND_PROXY } from '../set-up/settings.js';
import { zipfThreads } from './zipf-reads.js';

const PROCESSES = [1, 2, 4] as const;
const CLIENTS = 32;
/** A publish costs about as much as ten reads that are in no cache. */
const READS_PER_PUBLISH = 10;
const TEXTS_OF_A_SLICE = 100_000;
/** For each number of processes: plans made, code compiled. */
const WARM_SLICES = 4;
const MOST_TIME = 1.15;
const SHARE = 0.9;
/** Where fewer are left, a second process has none to itself. */
const CORES_LEFT = 2;

export const processesRow: Row = {
  id: 'S1',
  section: 'node',
  work: `1, 2 and 4 processes on one database, ${READS_PER_PUBLISH} reads of R2 for each publish of W1`,
  reference: '1 process',
  marks: `processor time per request at 4 ≤ ${MOST_TIME} ×; throughput ≥ ${SHARE} × min(processes, cores left) where at least ${CORES_LEFT} are left`,
  run,
};

/** A load, and what it took; a request is a read or a whole publish. */
type Measured = LoadFigures & {
  /** Processor time of a request in ms, of all processes of the board. */
  node: number;
  database: number;
  /** Cores that the load and the database took. */
  taken: number;
};

/** So many processes on a database of their own: idle ones would share work. */
async function group(lab: Lab, processes: number) {
  const set = await lab.writable();
  const boards: RunningBoard[] = [];
  for (let n = 0; n < processes; n += 1) {
    boards.push(await lab.board(set, BEHIND_PROXY));
  }
  const paths = zipfThreads(set).map((id) => `/api/thread/${id}`);
  let from = set.size;
  const cpu = async () => {
    const usages = await Promise.all(boards.map((board) => board.usage()));
    const node = usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
    return { node, database: await databaseCpuMs(lab.cluster.folder) };
  };
  return async (): Promise<Measured> => {
    from += TEXTS_OF_A_SLICE;
    const before = await cpu();
    const found = await lab.load({
      kind: 'publish',
      ports: boards.map(({ port }) => port),
      reads: { paths, perPublish: READS_PER_PUBLISH },
      clients: CLIENTS,
      seconds: lab.slice.seconds,
      seed: set.seed,
      from,
    });
    const after = await cpu();
    const database = after.database - before.database;
    return {
      ...found,
      node: (after.node - before.node) / found.count,
      database: database / found.count,
      taken: (database + found.cpuMs) / found.wallMs,
    };
  };
}

async function run(lab: Lab) {
  const groups = new Map<number, () => Promise<Measured>>();
  for (const n of PROCESSES) groups.set(n, await group(lab, n));
  for (const measure of groups.values()) {
    for (let n = 0; n < WARM_SLICES; n += 1) await measure();
  }
  const found = new Map<number, Measured[]>(PROCESSES.map((n) => [n, []]));
  const { rounds } = lab.slice;
  for (let round = 0; round < rounds; round += 1) {
    lab.at('S1', round, rounds);
    for (const [n, measure] of groups) found.get(n)?.push(await measure());
  }
  const of = (n: number, what: (one: Measured) => number) =>
    median((found.get(n) ?? []).map(what));
  const cores = os.availableParallelism();
  const figures = PROCESSES.flatMap((n) => [
    timeFigure(n, (what) => of(n, what), of(1, timeOf)),
    rateFigure(n, of(n, rateOf), of(1, rateOf), cores - of(n, takenOf)),
  ]);
  const failures = [...found.values()].flat().map((one) => one.failures);
  const refused = failures.reduce((sum, one) => sum + one, 0);
  return { figures, notes: [`${cores} cores; ${refused} failures`] };
}

const timeOf = ({ node, database }: Measured) => node + database;
const rateOf = ({ perSecond }: Measured) => perSecond;
const takenOf = ({ taken }: Measured) => taken;
const named = (n: number) => (n === 1 ? '1 process' : `${n} processes`);

function timeFigure(
  n: number,
  of: (what: (one: Measured) => number) => number,
  single: number,
): Figure {
  const value = of(timeOf);
  const what = `${named(n)}, processor time of a request`;
  if (n === 1) return figure(what, [value, 'ms', 3]);
  const ratio = value / single;
  // The mark is for the most processes; those between show the way there.
  const isMost = n === Math.max(...PROCESSES);
  const mark = isMost ? atMost(ratio, MOST_TIME, ' ×') : undefined;
  const reference: [string, number] = [named(1), single];
  return figure(what, [value, 'ms', 3], { reference, ratio, mark });
}

function rateFigure(
  n: number,
  rate: number,
  single: number,
  left: number,
): Figure {
  const what = `${named(n)}, throughput`;
  if (n === 1) return figure(what, [rate, 'requests/s', 0]);
  const ratio = rate / single;
  const mark = atLeast(ratio, rounded(SHARE * Math.min(n, left)));
  const text = `${mark.text} (${SHARE} × the ${rounded(left, 1)} cores left, at most ${n})`;
  return figure(what, [rate, 'requests/s', 0], {
    reference: [named(1), single],
    ratio,
    mark: { ...mark, text, met: left < CORES_LEFT ? null : mark.met },
  });
}
