import { expect } from 'chai';
import { type CuttingProxy, cuttingProxy } from '../../faults/cutting-proxy.js';
import { recordFaults } from '../../faults/report.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { createDatabase } from '../../support/cluster.js';
import { freshNetwork } from '../../support/fresh-network.js';
import { FULL } from '../../support/full.js';
import { publish } from '../../support/post.js';
import {
  ballotTicket,
  castBallot,
  openPoll,
  UNLIMITED,
} from '../polls/polling.js';
import { castRating, ratingTicket } from './rating.js';

const CUTS = ['answer', 'late', 'request'] as const;
const ROUNDS = FULL ? 30 : 3;
/** The score that hides, a parameter of the statement that counts a vote. */
const COUNTS = Buffer.from('\0\0\0\x02-3');

type Sent = { status: number; body: Record<string, unknown> };

describe('a vote whose answer from the database is lost', () => {
  let test: TestBoard;
  let proxy: CuttingProxy;
  let drop: () => Promise<void>;
  let topic: number;
  let poll: number;

  before(async () => {
    const database = await createDatabase();
    drop = database.drop;
    proxy = await cuttingProxy(database.url);
    test = await startBoard({ limits: UNLIMITED, databaseUrl: proxy.url });
    topic = (await publish(test, { title: 'Rated' })).message.id;
    poll = (await openPoll(test)).id;
  });

  after(async () => {
    proxy.hear();
    await checkLedger(test);
    await test.stop();
    await proxy.close();
    await drop();
  });

  async function stored(table: 'vote' | 'ballot'): Promise<number> {
    const [row] = await test.board.context.reads.query<{ n: number }>(
      table === 'vote'
        ? 'SELECT count(*) AS n FROM vote'
        : 'SELECT count(*) AS n FROM ballot',
    );
    return row?.n ?? 0;
  }

  for (const cut of CUTS) {
    it(`is counted once as a rating, and told as the first (${cut})`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const from = freshNetwork();
        const ticket = await ratingTicket(test, topic, 1, from);
        const before = await stored('vote');
        const cuts = proxy.cuts();
        proxy.cutNext(cut, { at: COUNTS });
        const first: Sent = await castRating(test, topic, ticket, from);
        expect(proxy.cuts()).to.equal(cuts + 1);
        expect(first.status, JSON.stringify(first.body)).to.equal(201);
        const again: Sent = await castRating(test, topic, ticket, from);
        expect(again).to.include({ status: 200 });
        expect(again.body).to.deep.equal({
          ...first.body,
          status: 'already_voted',
        });
        expect(await stored('vote')).to.equal(before + 1);
        const { body } = await test.as().get(`/api/messages/${topic}`);
        expect(body.score).to.equal(before + 1);
      }
      await recordFaults({ test: 'A3 ratings', faults: ROUNDS });
    });

    it(`is counted once as a ballot, and told as the first (${cut})`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const from = freshNetwork();
        const ticket = await ballotTicket(test, poll, 'a', from);
        const before = await stored('ballot');
        const cuts = proxy.cuts();
        proxy.cutNext(cut);
        const first: Sent = await castBallot(test, poll, ticket, from);
        expect(proxy.cuts()).to.equal(cuts + 1);
        expect(first.status, JSON.stringify(first.body)).to.equal(201);
        const again: Sent = await castBallot(test, poll, ticket, from);
        expect(again.body).to.deep.equal({
          ...first.body,
          status: 'already_voted',
        });
        expect(await stored('ballot')).to.equal(before + 1);
      }
      await recordFaults({ test: 'A3 ballots', faults: ROUNDS });
    });
  }

  it('is a 503 while nothing can be learnt, and a retry settles it', async () => {
    for (const cut of ['answer', 'request'] as const) {
      const from = freshNetwork();
      const rating = await ratingTicket(test, topic, 1, from);
      proxy.cutNext(cut, { deaf: true, at: COUNTS });
      const lost = await castRating(test, topic, rating, from);
      expect([lost.status, lost.body.error]).to.deep.equal([
        ...[503, 'unavailable'],
      ]);
      expect(lost.headers['retry-after']).to.match(/^[1-9]/);
      proxy.hear();
      const settled = await castRating(test, topic, rating, from);
      expect(settled.status).to.be.oneOf([200, 201]);

      const ballot = await ballotTicket(test, poll, 'b', from);
      const before = await stored('ballot');
      proxy.cutNext(cut, { deaf: true });
      const gone = await castBallot(test, poll, ballot, from);
      expect([gone.status, gone.body.error]).to.deep.equal([
        ...[503, 'unavailable'],
      ]);
      proxy.hear();
      const counted = await castBallot(test, poll, ballot, from);
      expect(counted.status).to.be.oneOf([200, 201]);
      expect(await stored('ballot')).to.equal(before + 1);
    }
  });
});
