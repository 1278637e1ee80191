import { expect } from 'chai';
import { boardRevision } from '../../../server/db/notifications.js';
import type { Jobs } from '../../../server/operations/jobs/jobs.js';
import { Browser } from '../../admin/access-browser.js';
import { FAST_PATHS } from '../../support/board.js';
import { watchStatements } from '../../support/database.js';
import { randomUUID } from '../../support/random.js';
import { givenReadable, reply, topic } from '../reading/fixture.js';

const READERS = 12;
const HOURS = 3_600_000;

describe('answers that many ask for', () => {
  if (FAST_PATHS === 'off') return;
  const test = givenReadable();

  const together = (path: string) =>
    Promise.all(
      [...Array(READERS).keys()].map((n) =>
        test.as(`198.51.100.${n}`).get(path).set('Accept', 'text/html'),
      ),
    );
  const statementsOf = async (work: () => Promise<unknown>) => {
    let count = 0;
    const stop = watchStatements(test.board.context.reads, () => {
      count += 1;
    });
    await work();
    stop();
    return count;
  };

  it('are made once for those who ask together', async () => {
    const root = await topic(test);
    const alone = await statementsOf(() => test.as().get(`/t/${root}`));
    const other = `/t/${await topic(test)}`;
    let answers: Awaited<ReturnType<typeof together>> = [];
    const all = await statementsOf(async () => {
      answers = await together(other);
    });
    expect(alone).to.be.above(1);
    expect(all).to.be.below(2 * alone);
    const [first] = answers;
    for (const { status, text, headers } of answers) {
      expect(status).to.equal(200);
      expect(text).to.equal(first?.text);
      expect(headers.etag).to.equal(first?.headers.etag);
      expect(headers.vary).to.equal(first?.headers.vary);
      expect(headers.ratelimit).to.include(';r=1199;');
    }
  });

  it('show what was written before they were asked for', async () => {
    const root = await topic(test);
    for (let n = 0; n < 5; n += 1) {
      const early = together(`/t/${root}`);
      const id = await reply(test, root, `Reply ${n}.`);
      for (const { text } of await together(`/t/${root}`)) {
        expect(text).to.contain(`id="m${id}"`);
      }
      await early;
    }
  });

  it('are made again where the first of them fails', async () => {
    const answers = await together('/t/999');
    expect(answers.map(({ status }) => status)).to.eql(
      Array(READERS).fill(404),
    );
  });

  it('are kept while jobs find nothing to do', async () => {
    const { jobs, notificationJobs } = test.board.background;
    const raised: string[] = [];
    const run = async (work: Jobs, name: string) => {
      const before = boardRevision();
      expect(await work.runOnce(name), name).to.equal('ran');
      if (boardRevision() !== before) raised.push(name);
    };
    const runAll = async () => {
      raised.length = 0;
      test.clock.advance(2 * HOURS);
      const own = ['close_polls', 'sweep', 'archive_search', 'watch'];
      const daily = ['rotate_keys', 'prune_checkpoints'];
      for (const name of [...own, ...daily]) await run(jobs, name);
      for (const name of ['watch_rules', 'notifications']) {
        await run(notificationJobs, name);
      }
    };
    await runAll(); // what the topics of other tests have left to do
    await runAll();
    expect(raised).to.eql([]);
  });

  it('are kept while readers are counted and strangers try to sign in', async () => {
    const before = boardRevision();
    const client = test.as('203.0.113.9');
    await client
      .post('/api/reader-events')
      .send({ visitor_id: randomUUID(), event: 'visit', consent: true })
      .expect(202);
    const stranger = { name: 'nobody', passphrase: 'a b c d', totp: '000000' };
    const signIn = new Browser(test).post('/sign-in/passphrase', stranger);
    expect((await signIn).status).to.equal(401);
    expect(boardRevision()).to.equal(before);
  });
});
