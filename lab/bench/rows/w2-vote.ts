import { type LoadFigures, median } from '../load/figures.js';
import { atLeast, type Outcome, type Row, rounded } from '../row.js';
import { byTurns, ratioOf } from '../set-up/by-turns.js';
import type { Lab } from '../set-up/lab.js';
import { BEHIND_PROXY } from '../set-up/settings.js';
import { bareInserts } from './bare-insert.js';

const CLIENTS = 32;
const LEAST = 0.1;
const perSecond = ({ perSecond: rate }: LoadFigures) => rate;

export const voteRow: Row = {
  id: 'W2',
  section: 'writes',
  work: `votes: preview, challenge, vote; ${CLIENTS} clients`,
  reference: 'the same insert',
  marks: `≥ ${LEAST}`,
  run,
};

async function run(lab: Lab): Promise<Outcome> {
  const set = await lab.writable();
  const board = await lab.board(set, BEHIND_PROXY);
  const insert = await bareInserts(lab, set);
  let round = 0;
  const found = await byTurns(lab, 'W2', {
    board: () =>
      lab.load({
        kind: 'vote',
        port: board.port,
        clients: CLIENTS,
        seconds: lab.slice.seconds,
        messages: set.size,
        round: round++,
      }),
    bare: () => insert(CLIENTS),
  });
  const ratio = ratioOf(found.board, found.bare, perSecond);
  const failures = found.board.reduce((sum, one) => sum + one.failures, 0);
  return {
    figures: [
      {
        what: 'rate',
        value: rounded(median(found.board.map(perSecond)), 0),
        unit: 'votes/s',
        reference: {
          what: 'bare INSERT, committed',
          value: rounded(median(found.bare.map(perSecond)), 0),
          unit: 'inserts/s',
        },
        ratio: rounded(ratio, 3),
        mark: atLeast(ratio, LEAST),
      },
    ],
    notes: [
      `${failures} were refused; p99 of the pair ${rounded(median(found.board.map(({ p99 }) => p99)), 1)} ms`,
    ],
  };
}
