import { atLeast, type Row } from '../row.js';
import { beside, byTurns, perSecond, toldOf } from '../set-up/by-turns.js';
import type { Lab } from '../set-up/lab.js';
import { BEHIND_PROXY } from '../set-up/settings.js';
import { bareInserts, bareReference } from './bare-insert.js';

const CLIENTS = 32;
const LEAST = 0.1;

export const voteRow: Row = {
  id: 'W2',
  section: 'writes',
  work: `votes: preview, challenge, vote; ${CLIENTS} clients`,
  reference: 'the same insert',
  marks: `≥ ${LEAST}`,
  run,
};

async function run(lab: Lab) {
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
  return {
    figures: [
      beside({
        what: 'rate',
        unit: 'votes/s',
        found: found.board,
        reference: bareReference(found.bare),
        of: perSecond,
        mark: (ratio) => atLeast(ratio, LEAST),
      }),
    ],
    notes: [toldOf(found.board)],
  };
}
