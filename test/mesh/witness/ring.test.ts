import { checkLedger } from '../../support/check-ledger.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { befriend, threeNodes } from '../peers/node-on-port.js';

const POSTS = 10;

describe('three boards that all mirror each other (F12)', () => {
  const { a, b, c } = given(threeNodes);
  const boards = [a, b, c];

  before(async () => {
    for (const of of boards) {
      for (const peer of boards) if (peer !== of) await befriend(of, peer);
    }
  });

  it('store each entry once, and cosign each log twice', async () => {
    for (const [at, test] of boards.entries()) {
      for (let post = 0; post < POSTS; post += 1) {
        await publish(test, { body: `Post ${post} of board ${at}.` });
      }
    }
    for (const test of boards) {
      await until('all posts mirrored', async () => {
        const [row] = await test.board.context.reads.query<{ n: number }>(
          'SELECT count(*) AS n FROM mirror_message',
        );
        return Number(row?.n) === 2 * POSTS;
      });
      await until('everything acknowledged', async () => {
        const { body } = await test.as().get('/api/mesh');
        return body.peers.every(
          (peer: Record<string, number>) => peer.acked_size === body.log.size,
        );
      });
      const [row] = await test.board.context.reads.query<{
        entries: number;
        messages: number;
      }>(
        // An anchor may come at any time.
        `SELECT (SELECT count(*) FROM log_entry WHERE origin_id > 0
             AND type <> 'anchor') AS entries,
           (SELECT count(*) FROM mirror_message) AS messages`,
      );
      expect(Number(row?.entries)).to.equal(2 * (1 + POSTS));
      expect(Number(row?.messages)).to.equal(2 * POSTS);
    }
    for (const test of boards) await checkLedger(test);
  });

  it('agree about every head', async () => {
    for (const test of boards) {
      await test.board.background.peers.witness.round();
      const { body } = await test.as().get('/api/mesh');
      expect(body.evidence_count).to.equal(0);
      expect(
        body.peers.map(({ status }: { status: string }) => status),
      ).to.deep.equal(['active', 'active']);
    }
  });
});
