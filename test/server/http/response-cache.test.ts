import express, { type Express } from 'express';
import supertest from 'supertest';
import { systemClock } from '../../../server/clock.js';
import {
  boardRevision,
  raiseRevision,
} from '../../../server/db/notifications.js';
import {
  offerToCache,
  ResponseCache,
} from '../../../server/http/fast/response-cache.js';
import { sendText } from '../../../server/http/send.js';
import type { Jobs } from '../../../server/operations/jobs/jobs.js';
import { Browser } from '../../admin/access-browser.js';
import { FAST_PATHS } from '../../support/board.js';
import { watchStatements } from '../../support/database.js';
import { randomUUID } from '../../support/random.js';
import { givenReadable, reply, topic } from '../reading/fixture.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;
const LARGE = 500 * 1024;
/** As `performance.now()` tells it. */
const MADE = 5000;

describe('the keeping of finished answers', () => {
  const { now } = performance;
  let clock = NOON;
  let freshness: { knownUntil: number; asked: number; ask(): void };
  let kept: ResponseCache;
  let app: Express;

  beforeEach(() => {
    clock = NOON;
    freshness = {
      knownUntil: Number.NEGATIVE_INFINITY,
      asked: 0,
      ask: () => {
        freshness.asked += 1;
      },
    };
    kept = new ResponseCache({ ...systemClock, now: () => clock }, freshness);
    app = express();
    app.get('/:size', offerToCache(kept), (req, res) => {
      const text = 'x'.repeat(Number(req.params.size));
      sendText(req, res, text, { cache: 'revalidate', until: NOON + HOUR });
    });
  });

  afterEach(() => {
    performance.now = now;
  });

  const at = (ms: number) => {
    performance.now = () => ms;
  };
  const ask = async (path: string) => {
    at(MADE);
    expect((await supertest(app).get(path)).status).to.equal(200);
  };
  const make = async (path: string) => {
    await ask(path);
    await ask(path);
  };
  const isKept = (path: string) => kept.find(path) !== null;

  it('begins with the second request of an address', async () => {
    await ask('/10');
    expect(isKept('/10')).to.equal(false);
    await ask('/11');
    await ask('/10');
    expect(isKept('/10')).to.equal(true);
    expect(isKept('/11')).to.equal(false);
    // Also where a change came between: what is read often stays so.
    raiseRevision();
    await ask('/10');
    expect(isKept('/10')).to.equal(true);
  });

  it('holds for a second when nothing is known, and asks before', async () => {
    await make('/10');
    expect(isKept('/10')).to.equal(true);
    expect(freshness.asked).to.equal(0);
    at(MADE + 700);
    expect(isKept('/10')).to.equal(true);
    expect(freshness.asked).to.equal(1);
    at(MADE + 1001);
    expect(isKept('/10')).to.equal(false);
    expect(freshness.asked).to.equal(2);
  });

  it('holds for a second from what was known last', async () => {
    await make('/10');
    freshness.knownUntil = MADE + 50_000;
    at(MADE + 50_900);
    expect(isKept('/10')).to.equal(true);
    at(MADE + 51_000);
    expect(isKept('/10')).to.equal(false);
    freshness.knownUntil = MADE + 90_000;
    at(MADE + 90_001);
    expect(isKept('/10')).to.equal(true);
  });

  it('ends with any change, whatever is known', async () => {
    await make('/10');
    freshness.knownUntil = MADE + HOUR;
    raiseRevision();
    expect(isKept('/10')).to.equal(false);
    await make('/11');
    expect(isKept('/10')).to.equal(false);
    expect(isKept('/11')).to.equal(true);
  });

  it('ends when the clock says so, also one that was put back', async () => {
    await make('/10');
    clock = NOON + HOUR - 1;
    expect(isKept('/10')).to.equal(true);
    clock = NOON + HOUR;
    expect(isKept('/10')).to.equal(false);
    clock = NOON - 1;
    expect(isKept('/10')).to.equal(false);
  });

  it('lets the oldest go that nobody reads, and none too large in', async () => {
    freshness.knownUntil = Number.POSITIVE_INFINITY;
    await make(`/${LARGE}?0`);
    for (let n = 1; n <= 140; n += 1) {
      await make(`/${LARGE}?${n}`);
      kept.find(`/${LARGE}?0`);
    }
    expect(isKept(`/${LARGE}?0`)).to.equal(true);
    expect(isKept(`/${LARGE}?1`)).to.equal(false);
    expect(isKept(`/${LARGE}?140`)).to.equal(true);
    await make(`/${LARGE * 2}`);
    expect(isKept(`/${LARGE * 2}`)).to.equal(false);
  });
});

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
    const texts: string[] = [];
    const stop = watchStatements(test.board.context.reads, (text) => {
      texts.push(text);
    });
    await work();
    stop();
    return texts;
  };

  it('are made once for those who ask together', async () => {
    const root = await topic(test);
    const alone = await statementsOf(() => test.as().get(`/t/${root}`));
    let answers: Awaited<ReturnType<typeof together>> = [];
    let all: string[] = [];
    let began = 0;
    let revision = 0;
    // What is made for longer than a second, or before a change, is nobody else's answer.
    do {
      const other = `/t/${await topic(test)}`;
      began = performance.now();
      revision = boardRevision();
      all = await statementsOf(async () => {
        answers = await together(other);
      });
    } while (performance.now() - began > 1000 || boardRevision() !== revision);
    const times = (texts: string[], text: string) =>
      texts.filter((one) => one === text).length;
    expect(alone).to.have.length.above(1);
    // Jobs of the board ask beside them.
    for (const text of alone) {
      expect(times(all, text), text).to.be.at.most(times(alone, text));
    }
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
