import os from 'node:os';
import { databaseCpuMs } from '../database-cpu.js';
import type { Lab, RunningBoard } from '../lab/lab.js';
import { type LoadFigures, median } from '../load/figures.js';
import {
  atLeast,
  type Figure,
  type Outcome,
  type Row,
  rounded,
} from '../row.js';
import { zipfThreads } from './zipf-reads.js';

const PROCESSES = [1, 2, 4];
const CONNECTIONS = 32;
const SHARE = 0.9;

export const processesRow: Row = {
  id: 'S1',
  section: 'node',
  work: '1, 2 and 4 processes on one database, the reads of R2',
  run,
};

/** A load, and the cores that it and the database took meanwhile. */
type Measured = LoadFigures & { taken: number };

async function run(lab: Lab): Promise<Outcome> {
  const set = await lab.large();
  const paths = zipfThreads(set).map((id) => `/api/thread/${id}`);
  const most = Math.max(...PROCESSES);
  const boards: RunningBoard[] = [];
  for (let n = 0; n < most; n += 1) boards.push(await lab.board(set));
  const measure = async (processes: number): Promise<Measured> => {
    const database = await databaseCpuMs(lab.cluster.folder);
    const found = await lab.load({
      kind: 'get',
      ports: boards.slice(0, processes).map(({ port }) => port),
      paths,
      connections: CONNECTIONS,
      seconds: lab.slice.seconds,
    });
    const used = (await databaseCpuMs(lab.cluster.folder)) - database;
    return { ...found, taken: (used + found.cpuMs) / found.wallMs };
  };
  await measure(most); // plans made
  const found = new Map<number, Measured[]>(PROCESSES.map((n) => [n, []]));
  const { rounds } = lab.slice;
  for (let round = 0; round < rounds; round += 1) {
    lab.at('S1', round, rounds);
    for (const [n, of] of found) of.push(await measure(n));
  }
  const rate = (n: number) =>
    median((found.get(n) ?? []).map(({ perSecond }) => perSecond));
  const cores = os.availableParallelism();
  const figures = PROCESSES.map((n): Figure => {
    const taken = median((found.get(n) ?? []).map((one) => one.taken));
    const ideal = Math.min(n, Math.max(0, cores - taken));
    const value = rounded(rate(n), 0);
    if (n === 1) return { what: '1 process', value, unit: 'requests/s' };
    const ratio = rate(n) / rate(1);
    const mark = atLeast(ratio, rounded(SHARE * ideal));
    return {
      what: `${n} processes`,
      value,
      unit: 'requests/s',
      reference: {
        what: '1 process',
        value: rounded(rate(1), 0),
        unit: 'requests/s',
      },
      ratio: rounded(ratio),
      mark: {
        ...mark,
        text: `${mark.text} (${SHARE} × the ${rounded(cores - taken, 1)} cores left, at most ${n})`,
      },
    };
  });
  return { figures, notes: [`${cores} cores`] };
}
