import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { freshNetwork } from '../../support/fresh-network.js';
import { untilHeard } from '../../support/until-heard.js';
import {
  ballotTicket,
  castUntilHeard,
  openPoll,
  type PollEvent,
  read,
  SURVEY,
  UNLIMITED,
} from './polling.js';

const PATH = '/api/polls/updates';

describe('a reader of poll events', () => {
  it('misses none and sees none twice while many commit', async () => {
    const test = await startBoard({ limits: UNLIMITED });
    const other = await startBoard({
      limits: UNLIMITED,
      clock: test.clock,
      databaseUrl: test.databaseUrl,
    });
    let writing = true;
    const readers: Promise<void>[] = [];
    try {
      const polls = await Promise.all(
        Array.from({ length: 6 }, () => openPoll(test)),
      );
      const seen: PollEvent[] = [];
      const reader = async (board: TestBoard, into: PollEvent[]) => {
        let cursor = 0;
        for (let last = false; ; last = !writing) {
          const { body } = await untilHeard(() =>
            read(board, `${PATH}?since=${cursor}&limit=7`),
          );
          into.push(...body.data);
          cursor = body.cursor;
          if (last && body.count === 0) return;
        }
      };
      const elsewhere: PollEvent[] = [];
      readers.push(reader(test, seen), reader(other, elsewhere));
      await Promise.all(
        Array.from({ length: 16 }, async (_, worker) => {
          const board = worker % 2 ? test : other;
          for (let n = 0; n < 6; n += 1) {
            const { id } = polls[(worker + n) % polls.length] ?? { id: 0 };
            const option = SURVEY.options[n % 3] ?? '';
            const from = freshNetwork();
            const send = await ballotTicket(board, id, option, from);
            const { status } = await castUntilHeard(board, id, send, from);
            expect(status).to.equal(201);
            if (n === 3) await openPoll(board);
          }
        }),
      );
      writing = false;
      await Promise.all(readers);
      const total = 6 + 16 * 6 + 16;
      const ids = Array.from({ length: total }, (_, n) => n + 1);
      expect(seen.map(({ id }) => id)).to.deep.equal(ids);
      expect(elsewhere).to.deep.equal(seen);
      // Every event's counts are its predecessor's and one ballot more.
      for (const { id } of polls) {
        const tallies = seen
          .filter(({ poll_id, kind }) => poll_id === id && kind !== 'opened')
          .map(({ data }) => data.voters);
        expect(tallies).to.deep.equal(tallies.map((_, n) => n + 1));
      }
    } finally {
      writing = false;
      await Promise.allSettled(readers); // also when a writer failed
      await other.stop();
      await test.stop();
    }
  });
});
