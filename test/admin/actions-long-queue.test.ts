import { expect } from 'chai';
import type { QueuePage } from '../../server/dashboard/schemas/views.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { LIFTED } from '../support/lifted.js';
import { publish } from '../support/post.js';
import { done, operator, type SignedInOperator } from './actions-operator.js';

describe('A queue of ten thousand subjects', () => {
  let test: TestBoard;
  let viewer: SignedInOperator;

  // Its rows were never published, so no ledger could hold them.
  before(async () => {
    test = await startBoard({ limits: LIFTED });
    viewer = await operator(test, 'viewer', 'Vi');
    await publish(test, { title: 'A topic' });
    await test.board.context.writes.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO message (id, root_id, reply_to, room, author, body, salt,
           created_at, request_id, message_hash, log_index, vote_secret,
           last_activity_id)
         SELECT n, 1, 1, 'lobby', 'a', 'b', '\\x00', 1, gen_random_uuid(),
           '\\x00', 1000000 + n, '\\x00', n
         FROM generate_series(100, 10099) n`,
      );
      await tx.query(
        `INSERT INTO report (request_id, content_hash, kind, reason,
           message_id, created_at, status_at)
         SELECT gen_random_uuid(), '\\x00', 'report', 'spam', n, n / 7, 1
         FROM generate_series(100, 10099) n`,
      );
    });
  });

  after(() => test.stop());

  it('is paged without a gap or a repeat', async () => {
    const seen: string[] = [];
    let after: QueuePage['next'] = null;
    let pages = 0;
    do {
      const page: QueuePage = await done<QueuePage>(
        viewer.ask('queue.list', {
          limit: 100,
          ...(after === null ? {} : { after }),
        }),
      );
      seen.push(...page.data.map(({ subject }) => subject));
      after = page.next;
      pages += 1;
    } while (after !== null);
    expect(seen).to.have.length(10_000);
    expect(new Set(seen).size).to.equal(10_000);
    expect(pages).to.equal(100);
  });
});
