import { atLeast, atMost, figure, type Row } from '../row.js';
import { beside, byTurns, perSecond, toldOf } from '../set-up/by-turns.js';
import type { Lab } from '../set-up/lab.js';
import { zipfThreads } from './zipf-reads.js';

const CONNECTIONS = 32;
/** As many as a board reads with. */
const SQL_CONNECTIONS = 8;
const LEAST = 0.5;
/** The rows of a page and nothing of what a thread says beside them. */
const PAGE = `SELECT * FROM message WHERE root_id = $1 ORDER BY id LIMIT 20`;

export const spreadReadsRow: Row = {
  id: 'R2',
  section: 'reads',
  work: 'the same reads spread over all threads (Zipf)',
  reference: `\`SELECT … WHERE root_id … LIMIT 20\` by \`pg\`, ${SQL_CONNECTIONS} connections`,
  marks: `≥ ${LEAST}; at most one statement per request`,
  run,
};

async function run(lab: Lab) {
  const set = await lab.large();
  const threads = zipfThreads(set);
  const board = await lab.board(set);
  const { seconds } = lab.slice;
  const paths = threads.map((id) => `/api/thread/${id}`);
  const get = () => lab.get(board.port, paths, CONNECTIONS);
  await get(); // plans made, pages in memory
  const before = await board.usage();
  const counted = await get();
  const after = await board.usage();
  const asked = (after.queries - before.queries) / counted.count;
  const found = await byTurns(lab, 'R2', {
    board: get,
    sql: () =>
      lab.load({
        kind: 'sql',
        url: set.url,
        statement: PAGE,
        values: threads.map((id) => [id]),
        connections: SQL_CONNECTIONS,
        seconds,
      }),
  });
  return {
    figures: [
      beside({
        what: 'rate',
        unit: 'requests/s',
        found: found.board,
        reference: {
          what: 'SELECT … LIMIT 20 by pg',
          unit: 'statements/s',
          found: found.sql,
        },
        of: perSecond,
        mark: (ratio) => atLeast(ratio, LEAST),
      }),
      figure('statements per request', [asked, '', 3], {
        // Counters of readers are written once in a while, for all of them.
        mark: { ...atMost(asked, 1.01), text: 'at most one' },
      }),
    ],
    notes: [toldOf(found.board)],
  };
}
