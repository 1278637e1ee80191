import { recordFaults } from '../../faults/report.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { lockWaits } from '../../support/database.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish, solve } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { until } from '../../support/until.js';
import {
  atOnce,
  draft,
  post,
  type Reply,
  tally,
  ticketFor,
} from '../../support/wire.js';
import { storedVotes } from '../votes/rating.js';

const MANY = 200;
const NETWORKS = 40;
const ROUNDS = FULL ? 50 : 5;

describe('200 publishes at once', () => {
  const test = givenBoard({ limits: LIFTED });
  const root = 1; // the board's first message

  before(() => publish(test));

  const send = (ticket: object, n: number) =>
    post(test.url, '/write/publish', ticket, `198.18.0.${n}`);

  function expectOneMessage(replies: readonly Reply[]): void {
    const ids = replies.map(({ body }) => (body.message as { id: number }).id);
    expect(new Set(ids).size, 'one id').to.equal(1);
  }

  it(`of one ticket make one message, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ticket = await ticketFor(test.url, draft(root));
      const replies = await atOnce(MANY, (n) => send(ticket, n));
      expect(tally(replies)).to.deep.equal({ 201: 1, 200: MANY - 1 });
      expectOneMessage(replies);
    }
    await recordFaults({ test: 'B1', faults: ROUNDS * MANY, acked: ROUNDS });
  });

  it('of 200 tickets of one request_id make one message', async () => {
    const asked = draft(root);
    const tickets = await atOnce(MANY, (n) =>
      ticketFor(test.url, asked, `198.18.0.${n}`),
    );
    const replies = await atOnce(MANY, (n) => send(tickets[n] ?? {}, n));
    expect(tally(replies)).to.deep.equal({ 201: 1, 200: MANY - 1 });
    expectOneMessage(replies);
  });

  it('of one request_id with other bodies: one message, 199 conflicts', async () => {
    const rounds = FULL ? 20 : 2;
    for (let round = 0; round < rounds; round += 1) {
      const request_id = randomUUID();
      const tickets = await atOnce(MANY, (n) =>
        ticketFor(test.url, { ...draft(root, `Body ${n}`), request_id }),
      );
      const replies = await atOnce(MANY, (n) => send(tickets[n] ?? {}, n));
      expect(tally(replies)).to.deep.equal({ 201: 1, 409: MANY - 1 });
      const errors = new Set(replies.map(({ body }) => body.error));
      errors.delete(undefined);
      expect([...errors]).to.deep.equal(['request_id_conflict']);
    }
    await recordFaults({ test: 'B2', faults: rounds * MANY, acked: rounds });
  });

  async function ratingTicket(id: number, vote: number, from: string) {
    const path = `/api/messages/${id}/votes/preview`;
    const { body } = await post(test.url, path, { vote }, from);
    return { ticket: body.ticket, answer: solve(String(body.challenge)) };
  }

  it('of replies with a vote and of ratings by the same networks: one vote each, none in the way', async () => {
    const id = (await publish(test)).message.id;
    const from = (n: number) => `198.18.7.${n}`;
    const sign = (n: number) => (n % 2 === 0 ? 1 : -1);
    const replies = await atOnce(NETWORKS, (n) =>
      ticketFor(test.url, { ...draft(id), vote: sign(n) }, from(n)),
    );
    const ratings = await atOnce(NETWORKS, (n) =>
      ratingTicket(id, -sign(n), from(n)),
    );
    const answers = await atOnce(NETWORKS * 2, (at): Promise<Reply> => {
      const n = at >> 1;
      return at % 2 === 0
        ? post(test.url, '/write/publish', replies[n] ?? {}, from(n))
        : post(
            test.url,
            `/api/messages/${id}/votes`,
            ratings[n] ?? {},
            from(n),
          );
    });
    const published = answers.filter((_, at) => at % 2 === 0);
    expect(tally(published)).to.deep.equal({ 201: NETWORKS });
    const rated = answers.filter((_, at) => at % 2 === 1);
    let expected = 0;
    rated.forEach(({ status, body }, n) => {
      const { vote } = published[n]?.body ?? {};
      const reply = vote as { status: string; vote: number };
      if (status === 201) {
        expect(reply.status).to.equal('already_voted');
        expect(reply.vote).to.equal(-sign(n));
        expected -= sign(n);
      } else {
        expect([status, body.error]).to.deep.equal([409, 'already_voted']);
        expect(reply.status).to.equal('published');
        expected += sign(n);
      }
    });
    const { body } = await test.as().get(`/api/messages/${id}`);
    expect(body.score).to.equal(expected);
    const stored = await storedVotes(test, id);
    const sum = stored.reduce((all, one) => all + one, 0);
    expect([stored.length, sum]).to.deep.equal([NETWORKS, expected]);
  });
});

describe('200 writes at once against one limit', () => {
  it('both networks of carried tickets keep their limit', async () => {
    const test = await startBoard({
      // Fewer than a batch holds: one that forgets what it spent goes over.
      limits: { ...LIFTED, writes_per_network_minute: 2 },
    });
    const root = (await publish(test)).message.id;
    const [one, other] = ['198.51.100.1', '198.51.100.2'];
    const tickets = await atOnce(MANY, (n) =>
      ticketFor(test.url, draft(root), n % 2 ? one : other),
    );
    const replies = await atOnce(MANY, (n) =>
      post(test.url, '/write/publish', tickets[n] ?? {}, n % 2 ? other : one),
    );
    expect(tally(replies)).to.deep.equal({ 201: 2, 429: MANY - 2 });
    await recordFaults({ test: 'B5 carried', faults: MANY, acked: 2 });
    await checkLedger(test);
    await test.stop();
  });
});

const PUBLISHES = 100;

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
      const replies = await atOnce(PUBLISHES, (n) =>
        post(url(n), '/write/publish', ticket, from),
      );
      expect(tally(replies)).to.deep.equal({ 201: 1, 200: PUBLISHES - 1 });
      expect(new Set(replies.map(idOf)).size).to.equal(1);
    }
  });

  it('give ids without a gap, and share their budgets', async () => {
    const tickets = await atOnce(PUBLISHES, (n) =>
      ticketFor(url(n), draft(root)),
    );
    const replies = await atOnce(PUBLISHES, (n) =>
      post(url(n + (n % 3)), '/write/publish', tickets[n] ?? {}),
    );
    expect(tally(replies)).to.deep.equal({ 201: 20, 429: PUBLISHES - 20 });
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
        return (await lockWaits(reads)) === 2;
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
});
