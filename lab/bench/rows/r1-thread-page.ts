import { longestThreads } from '../corpus/plan.js';
import { atLeast, type Row } from '../row.js';
import { beside, byTurns, perSecond, toldOf } from '../set-up/by-turns.js';
import type { Lab } from '../set-up/lab.js';

const CONNECTIONS = 32;
const PAGE = 20;
const OF_BARE = 0.7;
const OF_EXPRESS = 3;

export const threadPageRow: Row = {
  id: 'R1',
  section: 'reads',
  work: `GET a thread page (${PAGE} messages), hot, ${CONNECTIONS} connections`,
  reference:
    'bare `node:http` with the same bytes and headers; Express `res.json` of the same object',
  marks: `≥ ${OF_BARE}; ≥ ${OF_EXPRESS}`,
  run,
};

async function run(lab: Lab) {
  const set = await lab.small();
  const [longest] = longestThreads(set.plan);
  const path = `/api/thread/${longest?.[0]}`;
  const board = await lab.board(set);
  const page = await fetch(`http://127.0.0.1:${board.port}${path}`, {
    headers: { 'accept-encoding': 'identity' }, // as the load asks
  });
  if (page.status !== 200) throw new Error(`a page answered ${page.status}`);
  const body = new Uint8Array(await page.arrayBuffer());
  // Node adds the rest to every answer by itself, to the reference's too.
  const headers = [...page.headers]
    .filter(([name]) => !/^(?:date|connection|keep-alive)$/.test(name))
    .flat();
  const bare = await lab.reference({ kind: 'bare', headers, body });
  const express = await lab.reference({ kind: 'express', headers, body });
  const load = (port: number) => () => lab.get(port, [path], CONNECTIONS);
  const found = await byTurns(lab, 'R1', {
    board: load(board.port),
    bare: load(bare),
    express: load(express),
  });
  const told = { unit: 'requests/s', found: found.board, of: perSecond };
  return {
    figures: [
      beside({
        ...told,
        what: 'beside bare node:http',
        reference: { what: 'node:http, same bytes', found: found.bare },
        mark: (ratio) => atLeast(ratio, OF_BARE),
      }),
      beside({
        ...told,
        what: 'beside Express',
        reference: {
          what: 'Express, res.json of the same object',
          found: found.express,
        },
        mark: (ratio) => atLeast(ratio, OF_EXPRESS),
      }),
    ],
    notes: [`${body.length} bytes of ${PAGE} messages; ${toldOf(found.board)}`],
  };
}
