import type { Streamed } from '../load/export.js';
import type { OtherLoad } from '../processes/load.js';
import { atLeast, atMost, figure, type Row, rounded } from '../row.js';
import { beside, byTurns } from '../set-up/by-turns.js';
import type { Lab } from '../set-up/lab.js';

const MOST_MB = 100;
const LEAST = 0.3;
const ROWS = `COPY (SELECT id, root_id, reply_to, room, author, agent_id,
  title, body, created_at, score, removed_at, message_hash FROM message
  ORDER BY id) TO STDOUT`;

export const exportRow: Row = {
  id: 'R6',
  section: 'reads',
  work: '/all.txt of the large data set',
  reference: '`COPY … TO STDOUT` of the same rows',
  marks: `≥ ${LEAST}; memory ≤ ${MOST_MB} MB over idle`,
  sameWithoutFastPaths: 'the export goes through Express',
  run,
};

async function run(lab: Lab) {
  const set = await lab.large();
  const board = await lab.board(set);
  const reader = lab.child('load');
  const stream = (load: OtherLoad) => () => reader.ask<Streamed>(load);
  const exported = stream({
    kind: 'export',
    port: board.port,
    path: '/all.txt',
  });
  const copied = stream({ kind: 'copy', url: set.url, statement: ROWS });
  await copied(); // pages in memory
  const idle = await board.settled();
  await board.ask({ ask: 'watch-memory' });
  const found = await byTurns(lab, 'R6', { board: exported, copy: copied });
  const peak = await board.ask<number>({ ask: 'peak-memory' });
  const grown = (peak - idle.rss) / 1e6;
  const bytes = found.board[0]?.bytes ?? 0;
  return {
    figures: [
      beside({
        what: 'rate',
        unit: 'MB/s',
        found: found.board,
        reference: { what: 'COPY … TO STDOUT', found: found.copy },
        of: ({ bytes, seconds }) => bytes / 1e6 / seconds,
        digits: 1,
        mark: (ratio) => atLeast(ratio, LEAST),
      }),
      figure('memory over idle', [grown, 'MB', 0], {
        mark: atMost(grown, MOST_MB, ' MB'),
      }),
    ],
    notes: [`${rounded(bytes / 1e6, 1)} MB`],
  };
}
