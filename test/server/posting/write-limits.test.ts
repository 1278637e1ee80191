import { publishSigned, register } from '../../support/agent.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import {
  filled,
  preview,
  publish,
  type Receipt,
  submit,
} from '../../support/post.js';
import { freshNetwork } from '../../support/random.js';
import { expectRefusal, invalid, limited, retryAfter } from './refusals.js';

const DAY = 86_400_000;

const HOUR = 3_600_000;

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

describe('GET /api/budgets', () => {
  const test = givenBoard({ limits: { topics_per_source_hour: 1000 } });
  const FROM_ONE = '203.0.113.77';
  const read = (from = FROM_ONE, query = '') =>
    test.as(from).get(`/api/budgets${query}`);
  type Budget = { limit: string; remaining: number };
  const left = (budgets: Budget[]) =>
    Object.fromEntries(budgets.map((one) => [one.limit, one.remaining]));

  it('has what a preview would show, and spends nothing of it', async () => {
    const agent = await register(test);
    await publishSigned(test, agent, { title: 'One' });
    await publish(test, { title: 'Another' }, FROM_ONE);
    const before = await read().expect(200);
    expect((await read()).body).to.deep.equal(before.body);
    const { topic, reply, ballot, rating } = before.body.budgets;
    const previewed = await preview(test, { title: 'Third' }, FROM_ONE);
    for (const budget of previewed.body.budgets) {
      expect(topic).to.deep.include(budget);
    }
    expect(left(topic)).to.include({
      previews_per_network_hour: 89,
      publish_attempts_per_network_minute: 59,
      writes_per_network_minute: 5,
      topics_per_source_hour: 999,
    });
    expect(left(reply)).not.to.have.property('topics_per_source_hour');
    expect(left(ballot)).to.deep.equal({
      ballot_previews_per_network_hour: 60,
      ballot_attempts_per_network_minute: 60,
      ballots_per_network_minute: 3,
      ballots_per_network_hour: 20,
      failed_tickets_per_network: 100,
    });
    expect(left(rating)).to.deep.equal({ failed_tickets_per_network: 100 });
    const { body } = await read(freshNetwork(), `?agent_id=${agent.id}`);
    expect(left(body.budgets.reply)).to.include({
      writes_per_network_minute: 6,
      writes_per_key_minute: 5,
    });
  });

  it('is for the network alone, and strict', async () => {
    const { headers } = await read();
    expect(headers['cache-control']).to.equal('no-store');
    const foreign = await read().set('Sec-Fetch-Site', 'cross-site');
    expect([foreign.status, foreign.body.error]).to.deep.equal([
      403,
      'forbidden',
    ]);
    const options = await test.as().options('/api/budgets').expect(204);
    const wrong = await read(FROM_ONE, '?agent_id=a1');
    expectRefusal(wrong, invalid('agent_id'));
    for (const answer of [{ headers }, foreign, options, wrong]) {
      const names = Object.keys(answer.headers).join();
      expect(names).not.to.contain('access-control');
    }
  });
});
