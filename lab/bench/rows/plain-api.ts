import type { Outcome, Row } from '../row.js';
import { beside, byTurns, perSecond, toldOf } from '../set-up/by-turns.js';
import type { Lab } from '../set-up/lab.js';
import { BEHIND_PROXY } from '../set-up/settings.js';
import { publisher, warm } from './publisher.js';

const POSTERS = 8;
const LIST_READERS = 8;
const LIST = '/api/threads?limit=30';
const PLAIN = 'Express and pg, one request, one INSERT and one UPDATE';

const apiOf = (lab: Lab, url: string) =>
  lab.child('plain-api').ask<number>({ url });

/** What a user would pick: an API of an afternoon, on the same database. */
export const plainPublishRow: Row = {
  id: 'W4',
  section: 'writes',
  work: `full publishes, ${POSTERS} clients`,
  reference: PLAIN,
  marks: 'none: a first measurement',
  run: async (lab): Promise<Outcome> => {
    const set = await lab.writable();
    const board = await lab.board(set, BEHIND_PROXY);
    const port = await apiOf(lab, set.url);
    const publish = publisher(lab, set, board);
    const plain = publisher(lab, set, { port }, '/api/posts');
    await warm(lab, publish);
    await warm(lab, plain);
    const found = await byTurns(lab, 'W4', {
      board: () => publish(POSTERS),
      plain: () => plain(POSTERS),
    });
    return {
      figures: [
        beside({
          what: 'rate',
          unit: 'publishes/s',
          found: found.board,
          reference: { what: PLAIN, unit: 'posts/s', found: found.plain },
          of: perSecond,
        }),
      ],
      notes: [toldOf(found.board)],
    };
  },
};

export const plainListRow: Row = {
  id: 'L1',
  section: 'reads',
  work: 'the list of 30 topics, kept by nobody',
  reference: 'Express and pg, a JOIN of 30 topics with their first posts',
  marks: 'none: a first measurement',
  sameWithoutFastPaths: 'both sides are without them',
  run: async (lab): Promise<Outcome> => {
    const set = await lab.writable();
    const board = await lab.board(set, { FAST_PATHS: 'off' });
    const port = await apiOf(lab, set.url);
    const get = (from: number, path: string) => () =>
      lab.get(from, [path], LIST_READERS);
    const sides = {
      board: get(board.port, LIST),
      plain: get(port, '/api/threads'),
    };
    await sides.board();
    await sides.plain();
    const found = await byTurns(lab, 'L1', sides);
    return {
      figures: [
        beside({
          what: LIST,
          unit: 'requests/s',
          found: found.board,
          reference: { what: 'Express and pg', found: found.plain },
          of: perSecond,
        }),
      ],
      notes: [toldOf(found.board)],
    };
  },
};
