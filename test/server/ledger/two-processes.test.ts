import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import {
  atOnce,
  draft,
  post,
  type Reply,
  tally,
  ticketFor,
} from '../../support/wire.js';

const MANY = 100;

describe('two boards on one database', () => {
  let boards: [TestBoard, TestBoard];
  let root: number;

  before(async () => {
    const limits = { ...LIFTED, writes_per_network_hour: 20 };
    const one = await startBoard({ limits });
    const other = await startBoard({
      limits,
      clock: one.clock,
      databaseUrl: one.databaseUrl,
    });
    boards = [one, other];
    root = (await publish(one, {}, '198.51.100.1')).message.id;
  });

  after(async () => {
    const [one, other] = boards;
    await checkLedger(other);
    await other.stop();
    await checkLedger(one);
    await one.stop();
  });

  const url = (n: number) => (boards[n % 2] as TestBoard).url;
  const idOf = ({ body }: Reply) => (body.message as { id: number }).id;

  it('take each other’s tickets, and one request_id once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const from = `198.18.8.${round}`;
      const ticket = await ticketFor(url(round), draft(root), from);
      const replies = await atOnce(MANY, (n) =>
        post(url(n), '/write/publish', ticket, from),
      );
      expect(tally(replies)).to.deep.equal({ 201: 1, 200: MANY - 1 });
      expect(new Set(replies.map(idOf)).size).to.equal(1);
    }
  });

  it('give ids without a gap, and share their budgets', async () => {
    const tickets = await atOnce(MANY, (n) => ticketFor(url(n), draft(root)));
    const replies = await atOnce(MANY, (n) =>
      post(url(n + (n % 3)), '/write/publish', tickets[n] ?? {}),
    );
    expect(tally(replies)).to.deep.equal({ 201: 20, 429: MANY - 20 });
    const ids = replies.filter(({ status }) => status === 201).map(idOf);
    ids.sort((a, b) => a - b);
    const first = ids[0] ?? 0;
    expect(ids).to.deep.equal(ids.map((_, at) => first + at));
  });

  it('decide in turn, each on what the other has committed', async () => {
    const from = ['198.18.10.1', '198.18.10.2'];
    const tickets = await atOnce(2, (n) =>
      ticketFor(url(n), draft(root), from[n]),
    );
    const { writes, reads } = boards[0].board.context;
    let replies: Promise<Reply[]> = Promise.resolve([]);
    await writes.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM log_state WHERE origin_id = 0 FOR UPDATE');
      replies = atOnce(2, (n) =>
        post(url(n), '/write/publish', tickets[n] ?? {}, from[n]),
      );
      await until('both waiting for the head', async () => {
        const waiting = await reads.query(
          `SELECT 1 FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length === 2;
      });
    });
    const [one, other] = await replies;
    expect([one?.status, other?.status]).to.deep.equal([201, 201]);
    const ids = (await replies).map(idOf);
    expect(Math.abs((ids[0] ?? 0) - (ids[1] ?? 0))).to.equal(1);
  });

  it('count wrong answers together', async () => {
    const ticket = await ticketFor(url(0), draft(root));
    const wrong = { ...ticket, answer: '1-wrong' };
    const replies = await atOnce(20, (n) =>
      post(url(n), '/write/publish', wrong, `198.18.9.${n}`),
    );
    expect(tally(replies)).to.deep.equal({ 400: 4, 429: 16 });
  });

  it('show a write at once on the board that took it', async () => {
    for (const n of [0, 1]) {
      const ticket = await ticketFor(url(n), draft(root), '198.18.9.99');
      const from = '198.18.9.99';
      const reply = await post(url(n), '/write/publish', ticket, from);
      for (const read of [n, n + 1]) {
        const answer = await fetch(`${url(read)}/api/messages/${idOf(reply)}`, {
          headers: { 'X-Forwarded-For': from },
        });
        expect(answer.status).to.equal(200);
        await answer.text();
      }
    }
  });
});
