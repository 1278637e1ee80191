import { atLeast, type Outcome, type Row } from '../row.js';
import { beside, byTurns, perSecond, toldOf } from '../set-up/by-turns.js';
import type { Lab } from '../set-up/lab.js';
import { zipfThreads } from './zipf-reads.js';

const CONNECTIONS = 32;
const THREADS = 200;
const COLD_SECONDS = 2;
const LEAST = 0.8;

export const coldWalkRow: Row = {
  id: 'R7',
  section: 'reads',
  work: `${THREADS} threads walked in order by ${CONNECTIONS} connections, begun cold`,
  reference: 'the same board, begun warm',
  marks: `≥ ${LEAST} of the warm rate within ${COLD_SECONDS} s`,
  sameWithoutFastPaths: 'nothing is cached without them',
  run,
};

async function run(lab: Lab): Promise<Outcome> {
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
    ],
    notes: [toldOf(found.cold)],
  };
}
