import { expect } from 'chai';
import { type CuttingProxy, cuttingProxy } from '../../faults/cutting-proxy.js';
import { recordFaults } from '../../faults/report.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { createDatabase } from '../../support/cluster.js';
import { FULL } from '../../support/full.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import {
  atOnce,
  draft,
  post,
  type Reply,
  tally,
  ticketFor,
} from '../../support/wire.js';

const ROUNDS = FULL ? 150 : 10;
const AT_ONCE = 5;

describe('a COMMIT whose answer is lost', () => {
  let test: TestBoard;
  let proxy: CuttingProxy;
  let drop: () => Promise<void>;
  let root: number;

  before(async () => {
    const database = await createDatabase();
    drop = database.drop;
    proxy = await cuttingProxy(database.url);
    test = await startBoard({ limits: LIFTED, databaseUrl: proxy.url });
    root = (await publish(test)).message.id;
  });

  after(async () => {
    await checkLedger(test);
    await test.stop();
    await proxy.close();
    await drop();
  });

  const send = (ticket: object): Promise<Reply> =>
    post(test.url, '/write/publish', ticket);
  const idOf = ({ body }: Reply) => (body.message as { id: number }).id;

  async function newest(): Promise<number> {
    const [row] = await test.board.context.writes.query<{ id: number }>(
      'SELECT max(id) AS id FROM message',
    );
    return row?.id ?? 0;
  }

  for (const [cut, what] of [
    ['answer', 'is found by the look-up'],
    ['late', 'is waited for by the look-up'],
    ['request', 'is repeated when it never came to be'],
  ] as const) {
    it(`${what}: one message, one id, ${ROUNDS} times`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const ticket = await ticketFor(test.url, draft(root));
        const before = await newest();
        const cuts = proxy.cuts();
        proxy.cutNext(cut);
        const first = await send(ticket);
        expect(proxy.cuts()).to.equal(cuts + 1);
        expect(first.status, JSON.stringify(first.body)).to.equal(201);
        expect(idOf(first)).to.equal(before + 1);
        const again = await send(ticket);
        expect(again.body).to.deep.equal({
          ...first.body,
          status: 'already_published',
        });
        expect(await newest()).to.equal(before + 1);
      }
      await recordFaults({ test: 'A3', faults: ROUNDS, acked: ROUNDS });
    });

    it(`${what}, for a group too`, async () => {
      for (let round = 0; round < ROUNDS / 5; round += 1) {
        const tickets = await atOnce(AT_ONCE, () =>
          ticketFor(test.url, draft(root)),
        );
        const before = await newest();
        proxy.cutNext(cut);
        const replies = await Promise.all(tickets.map(send));
        expect(tally(replies)).to.deep.equal({ 201: AT_ONCE });
        const ids = replies.map(idOf).sort((a, b) => a - b);
        const due = Array.from({ length: AT_ONCE }, (_, n) => before + 1 + n);
        expect(ids).to.deep.equal(due);
      }
      const groups = ROUNDS / 5;
      const acked = groups * AT_ONCE;
      await recordFaults({ test: 'A3 groups', faults: groups, acked });
    });
  }

  for (const cut of ['answer', 'request'] as const) {
    it(`is a 503 while nothing can be learnt, and a retry settles it (${cut})`, async () => {
      for (let round = 0; round < ROUNDS / 5; round += 1) {
        const ticket = await ticketFor(test.url, draft(root));
        const before = await newest();
        proxy.cutNext(cut, { deaf: true });
        const lost = await send(ticket);
        expect(lost.status).to.equal(503);
        expect(lost.body.error).to.equal('unavailable');
        expect(lost.retryAfter).to.equal(String(lost.body.retry_after_seconds));
        proxy.hear();
        const again = await send(ticket);
        expect(again.status).to.be.oneOf([200, 201]);
        expect(idOf(again)).to.equal(before + 1);
      }
      const lost = { faults: ROUNDS / 5, acked: ROUNDS / 5 };
      await recordFaults({ test: 'A3 deaf', ...lost, unknown: ROUNDS / 5 });
    });
  }
});
