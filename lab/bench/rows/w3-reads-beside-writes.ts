import { atLeast, type Outcome, type Row } from '../row.js';
import { beside, byTurns, perSecond, toldOf } from '../set-up/by-turns.js';
import { BEHIND_PROXY } from '../set-up/settings.js';
import { publisher, warm } from './publisher.js';
import { zipfThreads } from './zipf-reads.js';

const CLIENTS = 32;
const READS_PER_PUBLISH = 10;
const LEAST = 1.8;

/** What it is worth that a commit ends only the answers that it changes. */
export const readsBesideWritesRow: Row = {
  id: 'W3',
  section: 'writes',
  work: `${READS_PER_PUBLISH} reads of R2 for each publish, ${CLIENTS} clients`,
  reference: 'the same, each commit ending every kept answer',
  marks: `≥ ${LEAST}`,
  sameWithoutFastPaths: 'nothing is kept without them',
  run: async (lab): Promise<Outcome> => {
    const load = async (dropAll: boolean) => {
      const set = await lab.writable();
      const board = await lab.board(set, BEHIND_PROXY);
      if (dropAll) await board.ask({ ask: 'drop-all' });
      const paths = zipfThreads(set).map((id) => `/api/thread/${id}`);
      const reads = { paths, perPublish: READS_PER_PUBLISH };
      return publisher(lab, set, board, undefined, reads);
    };
    const [some, all] = [await load(false), await load(true)];
    await warm(lab, some);
    await warm(lab, all);
    const found = await byTurns(lab, 'W3', {
      some: () => some(CLIENTS),
      all: () => all(CLIENTS),
    });
    return {
      figures: [
        beside({
          what: 'reads and publishes',
          unit: 'requests/s',
          found: found.some,
          reference: { what: 'every answer ended', found: found.all },
          of: perSecond,
          mark: (ratio) => atLeast(ratio, LEAST),
        }),
      ],
      notes: [toldOf(found.some)],
    };
  },
};
