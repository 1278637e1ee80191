import { expect } from 'chai';
import type { LimitName } from '../../../server/limits.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { TestClock } from '../../support/clock.js';
import { LIFTED } from '../../support/lifted.js';
import { filled, type Post, preview, publish } from '../../support/post.js';
import { expectRefusal, retryAfter } from './refusals.js';

const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 0, 16);

type Case = {
  limit: LimitName;
  windowMs: number;
  error: string;
  /** One more of what the limit counts, by some network of its own. */
  spend(test: TestBoard, root: number): Promise<Answer>;
};
type Answer = Awaited<ReturnType<typeof preview>>;

const FROM = '203.0.113.50';
let others = 0;

async function post(
  test: TestBoard,
  body: Post,
  from: string,
): Promise<Answer> {
  const previewed = await preview(test, body, from);
  expect(previewed.status, previewed.text).to.equal(200);
  return await test.as(from).post('/write/publish').send(filled(previewed));
}

const CASES: Case[] = [
  {
    limit: 'writes_per_network_minute',
    windowMs: 60_000,
    error: 'rate_limited',
    spend: (test, root) => post(test, { reply_to: root }, FROM),
  },
  {
    limit: 'writes_per_network_hour',
    windowMs: 3_600_000,
    error: 'rate_limited',
    spend: (test, root) => post(test, { reply_to: root }, FROM),
  },
  {
    limit: 'writes_per_board_minute',
    windowMs: 60_000,
    error: 'rate_limited',
    spend: (test, root) => {
      others += 1;
      return post(test, { reply_to: root }, `198.18.0.${others % 250}`);
    },
  },
  {
    limit: 'topics_per_source_hour',
    windowMs: 3_600_000,
    error: 'topic_budget_exhausted',
    spend: (test) => post(test, {}, FROM),
  },
  {
    limit: 'previews_per_network_hour',
    windowMs: 3_600_000,
    error: 'rate_limited',
    spend: (test, root) => preview(test, { reply_to: root }, FROM),
  },
  {
    limit: 'publish_attempts_per_network_minute',
    windowMs: 60_000,
    error: 'rate_limited',
    spend: async (test, root) => {
      // Previewed elsewhere: this limit is the publishing network's.
      const post = { reply_to: root };
      const template = filled(await preview(test, post, '198.51.100.1'));
      return await test.as(FROM).post('/write/publish').send(template);
    },
  },
];

function boardFor(limit: LimitName, clock: TestClock): Promise<TestBoard> {
  const { [limit as keyof typeof LIFTED]: _, ...lifted } = LIFTED;
  return startBoard({ limits: lifted, clock });
}

const isDone = ({ status }: Answer) => status === 200 || status === 201;

/** One more is refused until its named second, and then taken. */
async function expectFull(
  test: TestBoard,
  { limit, error, spend }: Case,
  root: number,
  seconds: number,
): Promise<void> {
  const refused = await spend(test, root);
  expectRefusal(refused, { status: 429, error, scope: limit });
  expect(retryAfter(refused)).to.equal(seconds);
  test.clock.advance((seconds - 1) * 1000);
  expect((await spend(test, root)).status).to.equal(429);
  test.clock.advance(1000);
  expect(isDone(await spend(test, root))).to.equal(true);
}

describe('limits of posting, exactly', () => {
  for (const one of CASES) {
    const { limit, windowMs, spend } = one;
    describe(limit, () => {
      let test: TestBoard;
      let root: number;
      let midnight = MIDNIGHT;
      const clock = new TestClock();

      before(async () => {
        test = await boardFor(limit, clock);
        root = (await publish(test, {}, '192.0.2.1')).message.id;
      });

      beforeEach(() => {
        midnight += 2 * DAY;
        clock.set(midnight - DAY / 2);
      });

      after(async () => {
        await checkLedger(test);
        await test.stop();
      });

      const fill = async (stepMs = 0) => {
        const { [limit]: count } = test.board.context.limits;
        for (let n = 0; n < count; n += 1) {
          const answer = await spend(test, root);
          expect(isDone(answer), answer.text).to.equal(true);
          clock.advance(stepMs);
        }
      };

      it('refuses one more until the oldest leaves, to the second', async () => {
        clock.advance(123); // no whole second
        await fill();
        await expectFull(test, one, root, windowMs / 1000);
      });

      it('rolls: each that leaves makes room for one', async () => {
        const { [limit]: count } = test.board.context.limits;
        const step = 1000 * Math.floor(windowMs / 1000 / count / 2);
        await fill(step);
        const spent = step * count;
        await expectFull(test, one, root, (windowMs - spent) / 1000);
        // One left and one came: the next leaves one step later.
        if (step > 1000) await expectFull(test, one, root, step / 1000);
      });

      it('does not start anew at midnight', async () => {
        clock.set(midnight - 10_000);
        await fill();
        clock.advance(10_000);
        await expectFull(test, one, root, windowMs / 1000 - 10);
      });
    });
  }

  describe('topics_per_source_day', () => {
    it('starts anew at UTC midnight, whatever the hour', async () => {
      const clock = new TestClock(MIDNIGHT - 7_200_500);
      const test = await boardFor('topics_per_source_day', clock);
      const topic = () => post(test, {}, FROM);
      for (let n = 0; n < 10; n += 1) expect(isDone(await topic())).to.be.true;
      const refused = await topic();
      expectRefusal(refused, {
        status: 429,
        error: 'topic_budget_exhausted',
        scope: 'topics_per_source_day',
      });
      expect(retryAfter(refused)).to.equal(7201);
      clock.set(MIDNIGHT - 1);
      expect((await topic()).body.retry_after_seconds).to.equal(1);
      const inTime = filled(await preview(test, {}, FROM));
      clock.set(MIDNIGHT);
      const first = await test.as(FROM).post('/write/publish').send(inTime);
      expect(first.status, first.text).to.equal(201);
      for (let n = 1; n < 10; n += 1) expect(isDone(await topic())).to.be.true;
      expect((await topic()).body.retry_after_seconds).to.equal(86_400);
      await checkLedger(test);
      await test.stop();
    });

    it('leaves replies free and says so', async () => {
      const test = await startBoard({
        limits: { ...LIFTED, topics_per_source_hour: 1 },
      });
      const { message } = await publish(test, {}, FROM);
      const { body } = await post(test, {}, FROM);
      expect(body.error).to.equal('topic_budget_exhausted');
      const { json_template: template, url } = body.suggested_action;
      expect(url).to.match(/\/write\/preview$/);
      expect(template).to.have.all.keys('body', 'request_id', 'reply_to');
      const answer = await post(test, { reply_to: message.id }, FROM);
      expect(answer.status).to.equal(201);
      await checkLedger(test);
      await test.stop();
    });
  });
});
