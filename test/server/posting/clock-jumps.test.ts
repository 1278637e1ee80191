import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import { boardForEachTest } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { filled, preview, publish, type Receipt } from '../../support/post.js';
import { expectRefusal, retryAfter } from './refusals.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('a clock that jumps', () => {
  let test: TestBoard;
  let root: number;

  boardForEachTest(
    {
      limits: { ...LIFTED, writes_per_network_minute: 2 },
    },
    async (made) => {
      test = made;
      root = (await publish(test, {}, '198.51.100.1')).message.id;
    },
  );

  const attempt = async () => {
    const previewed = await preview(test, { reply_to: root });
    return await test.as().post('/write/publish').send(filled(previewed));
  };

  async function createdAt({ message }: Receipt): Promise<string> {
    const { body } = await test.as().get(`/api/messages/${message.id}`);
    return body.created_at;
  }

  const timeOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

  for (const [name, ms] of [
    ['a second', -1000],
    ['an hour', -HOUR],
    ['a day', -DAY],
  ] as const) {
    it(`back by ${name}: messages keep their order and their times`, async () => {
      const before = test.clock.now();
      test.clock.advance(ms);
      const first = await publish(test, { reply_to: root });
      expect(await createdAt(first)).to.equal(timeOf(before));
      test.clock.advance(-ms + 1000);
      const second = await publish(test, { reply_to: root });
      expect(await createdAt(second)).to.equal(timeOf(before + 1000));
      expect(second.message.id).to.equal(first.message.id + 1);
    });
  }

  it('back by more than 120 s: what lies ahead counts in no window', async () => {
    for (let n = 0; n < 2; n += 1) await publish(test, { reply_to: root });
    test.clock.advance(-120_001);
    expect((await attempt()).status).to.equal(201);
    expect((await attempt()).status).to.equal(201);
    expect((await attempt()).status).to.equal(429);
  });

  it('back by less: it counts, until it has left', async () => {
    for (let n = 0; n < 2; n += 1) await publish(test, { reply_to: root });
    test.clock.advance(-100_000);
    const refused = await attempt();
    expectRefusal(refused, {
      status: 429,
      error: 'rate_limited',
      scope: 'writes_per_network_minute',
    });
    expect(retryAfter(refused)).to.equal(160);
    test.clock.advance(159_000);
    expect((await attempt()).status).to.equal(429);
    test.clock.advance(1000);
    expect((await attempt()).status).to.equal(201);
  });

  it('forward: tickets expire, and a lock ends', async () => {
    const ticket = filled(await preview(test, { reply_to: root }));
    const locked = filled(await preview(test, { reply_to: root }));
    for (let n = 0; n < 5; n += 1) {
      const wrong = { ...locked, answer: '1-wrong' };
      await test.as().post('/write/publish').send(wrong);
    }
    test.clock.advance(DAY);
    for (const send of [ticket, locked]) {
      const answer = await test.as().post('/write/publish').send(send);
      expect(answer.body.error).to.equal('ticket_expired');
    }
    expect((await attempt()).status).to.equal(201);
  });
});
