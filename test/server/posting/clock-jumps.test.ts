import { expect } from 'chai';
import { freshNetwork } from '../../support/fresh-network.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import {
  filled,
  preview,
  publish,
  type Receipt,
  submit,
} from '../../support/post.js';
import { expectRefusal, limited, retryAfter } from './refusals.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('a clock that jumps', () => {
  const limits = { ...LIFTED, writes_per_network_minute: 2 };
  const test = givenBoard({ limits });
  let root: number;
  let from: string;

  beforeEach(async () => {
    test.clock.advance(3 * DAY);
    root = (await publish(test, {}, freshNetwork())).message.id;
    from = freshNetwork();
  });

  const attempt = async () => {
    const previewed = await preview(test, { reply_to: root }, from);
    return await submit(test, filled(previewed), from);
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
      const first = await publish(test, { reply_to: root }, from);
      expect(await createdAt(first)).to.equal(timeOf(before));
      test.clock.advance(-ms + 1000);
      const second = await publish(test, { reply_to: root }, from);
      expect(await createdAt(second)).to.equal(timeOf(before + 1000));
      expect(second.message.id).to.equal(first.message.id + 1);
    });
  }

  it('back by more than 120 s: what lies ahead counts in no window', async () => {
    for (let n = 0; n < 2; n += 1)
      await publish(test, { reply_to: root }, from);
    test.clock.advance(-120_001);
    expect((await attempt()).status).to.equal(201);
    expect((await attempt()).status).to.equal(201);
    expect((await attempt()).status).to.equal(429);
  });

  it('back by less: it counts, until it has left', async () => {
    for (let n = 0; n < 2; n += 1)
      await publish(test, { reply_to: root }, from);
    test.clock.advance(-100_000);
    const refused = await attempt();
    expectRefusal(refused, limited('writes_per_network_minute'));
    expect(retryAfter(refused)).to.equal(160);
    test.clock.advance(159_000);
    expect((await attempt()).status).to.equal(429);
    test.clock.advance(1000);
    expect((await attempt()).status).to.equal(201);
  });

  it('forward: tickets expire, and a lock ends', async () => {
    const ticket = filled(await preview(test, { reply_to: root }, from));
    const locked = filled(await preview(test, { reply_to: root }, from));
    for (let n = 0; n < 5; n += 1) {
      const wrong = { ...locked, answer: '1-wrong' };
      await submit(test, wrong, from);
    }
    test.clock.advance(DAY);
    for (const send of [ticket, locked]) {
      const answer = await submit(test, send, from);
      expect(answer.body.error).to.equal('ticket_expired');
    }
    expect((await attempt()).status).to.equal(201);
  });
});
