import { atLeast, atMost, figure, type Row, rounded } from '../row.js';
import { beside, byTurns, perSecond, toldOf } from '../set-up/by-turns.js';
import type { Lab } from '../set-up/lab.js';
import { zipfThreads } from './zipf-reads.js';

const CONNECTIONS = 32;
const THREADS = 200;
const COLD_SECONDS = 2;
const LEAST = 0.8;
/** With jobs, of which each begins within a minute. */
const JOB_SLICES = 20;

export const coldWalkRow: Row = {
  id: 'R7',
  section: 'reads',
  work: `${THREADS} threads walked in order by ${CONNECTIONS} connections, begun cold`,
  reference: 'the same board, begun warm',
  marks: `≥ ${LEAST} of the warm rate within ${COLD_SECONDS} s; not emptied once by jobs`,
  sameWithoutFastPaths: 'nothing is cached without them',
  run,
};

async function run(lab: Lab) {
  const set = await lab.large();
  const threads = [...new Set(zipfThreads(set))].slice(0, THREADS);
  const paths = threads.map((id) => `/api/thread/${id}`);
  const { seconds } = lab.slice;
  const walk = (port: number, forSeconds: number) =>
    lab.load({
      ...{ kind: 'get', ports: [port], paths, isTogether: true },
      ...{ connections: CONNECTIONS, seconds: forSeconds },
    });
  const found = await byTurns(lab, 'R7', {
    cold: async () => {
      const board = await lab.board(set);
      await walk(board.port, COLD_SECONDS);
      const reached = await walk(board.port, seconds);
      await board.stop();
      return reached;
    },
    warm: async () => {
      const board = await lab.board(set);
      for (const path of [...paths, ...paths]) {
        const answer = await fetch(`http://127.0.0.1:${board.port}${path}`);
        await answer.arrayBuffer();
      }
      const rate = await walk(board.port, seconds);
      await board.stop();
      return rate;
    },
  });
  const board = await lab.board(set, { ROLES: 'api,jobs' });
  const revision = () => board.ask<number>({ ask: 'revision' });
  await walk(board.port, COLD_SECONDS);
  const before = await revision();
  const beside60 = await walk(board.port, seconds * JOB_SLICES);
  const emptied = (await revision()) - before;
  await board.stop();
  return {
    figures: [
      beside({
        what: `after ${COLD_SECONDS} s`,
        unit: 'requests/s',
        found: found.cold,
        of: perSecond,
        reference: { what: 'begun warm', found: found.warm },
        mark: (ratio) => atLeast(ratio, LEAST),
      }),
      figure('emptied while jobs run', [emptied, 'times', 0], {
        mark: atMost(emptied, 0),
      }),
    ],
    notes: [
      toldOf(found.cold),
      `beside jobs ${rounded(beside60.perSecond, 0)} requests/s for ${seconds * JOB_SLICES} s`,
    ],
  };
}
