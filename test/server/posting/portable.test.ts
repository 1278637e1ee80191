import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import {
  filled,
  type Post,
  preview,
  publish,
  request,
  submit,
} from '../../support/post.js';
import { freshNetwork } from '../../support/random.js';
import { expectRefusal, limited } from './refusals.js';

const networkPair = (): [string, string] => [freshNetwork(), freshNetwork()];
const LIMITS = {
  ...LIFTED,
  writes_per_network_minute: 3,
  topics_per_source_hour: 2,
  publish_attempts_per_network_minute: 12,
};

describe('which network pays for a write', () => {
  const test = givenBoard({ limits: LIMITS });
  const root = 1; // the board's first message

  before(() => publish(test, {}, '198.51.100.1'));

  async function left(from: string, post: Post = { reply_to: root }) {
    for (let n = 0; ; n += 1) {
      const previewed = await preview(test, post, from);
      const answer = await submit(test, filled(previewed), from);
      if (answer.status !== 201) return n;
    }
  }

  async function carry(post: Post, from: string, to: string) {
    const template = filled(await preview(test, post, from));
    return await submit(test, template, to);
  }

  it('is the publishing one alone when it previewed itself', async () => {
    const [one, other] = networkPair();
    await publish(test, { reply_to: root }, one);
    expect(await left(one)).to.equal(2);
    expect(await left(other)).to.equal(3);
  });

  it('are both when a plain ticket travelled, for reply and topic', async () => {
    for (const post of [{ reply_to: root }, {}, { reply_to: root, vote: 0 }]) {
      const [from, to] = networkPair();
      expect((await carry(post, from, to)).status).to.equal(201);
      expect(await left(from)).to.equal(2);
      expect(await left(to)).to.equal(2);
    }
  });

  it('refuses when either has no room, and then spends neither', async () => {
    for (const full of [0, 1]) {
      const pair = networkPair();
      for (let n = 0; n < 3; n += 1) {
        await publish(test, { reply_to: root }, pair[full]);
      }
      const answer = await carry({ reply_to: root }, ...pair);
      expectRefusal(answer, limited('writes_per_network_minute'));
      const roomy = pair[1 - full] ?? '';
      expect(await left(roomy)).to.equal(3);
    }
  });

  it('treats an IPv6 /64 as one network, and mapped IPv4 as IPv4', async () => {
    for (const [one, same] of [
      ['2001:db8:0:7::1', '2001:db8:0:7:ffff:ffff:ffff:ffff'],
      ['192.0.2.251', '::ffff:192.0.2.251'],
    ] as const) {
      expect((await carry({ reply_to: root }, one, same)).status).to.equal(201);
      expect(await left(one)).to.equal(2);
    }
    const [near, far] = ['2001:db8:0:8::1', '2001:db8:0:9::1'];
    expect((await carry({ reply_to: root }, near, far)).status).to.equal(201);
    expect(await left(near)).to.equal(2);
    expect(await left(far)).to.equal(2);
  });

  it('keeps a ticket with a vote in its network', async () => {
    const [from, to] = networkPair();
    for (const vote of [1, -1]) {
      const post = request({ reply_to: root, vote });
      const template = filled(await preview(test, post, from));
      const moved = await submit(test, template, to);
      expectRefusal(moved, { status: 409, error: 'network_changed' });
      await submit(test, template, from).expect(201);
      const retried = await submit(test, template, to);
      expect(retried.body.status).to.equal('already_published');
    }
  });

  it('knows the network of a ticket across midnight', async () => {
    const day = 86_400_000;
    const midnight = Math.ceil(test.clock.now() / day) * day;
    const [from, to] = networkPair();
    test.clock.set(midnight - 1000);
    const post = request({ reply_to: root, vote: 1 });
    const bound = filled(await preview(test, post, from));
    const plain = filled(await preview(test, { reply_to: root }, from));
    test.clock.set(midnight + 1000);
    const kept = await submit(test, bound, from);
    expect(kept.status, kept.text).to.equal(201);
    await submit(test, plain, to).expect(201);
    expect(await left(from)).to.equal(1);
    expect(await left(to)).to.equal(2);
  });

  it('spends attempts of the publishing one, and no write, for exact retries', async () => {
    const [from, to] = networkPair();
    const template = filled(await preview(test, { reply_to: root }, from));
    for (let n = 0; n < 12; n += 1) {
      const answer = await submit(test, template, to);
      expect(answer.status).to.equal(n === 0 ? 201 : 200);
    }
    expectRefusal(
      await submit(test, template, to),
      limited('publish_attempts_per_network_minute'),
    );
    for (let n = 0; n < 12; n += 1) {
      expect((await submit(test, template, from)).status).to.equal(200);
    }
    test.clock.advance(60_000);
    for (const network of [from, to]) expect(await left(network)).to.equal(3);
  });

  it('spends no write and no topic for what is refused', async () => {
    const from = freshNetwork();
    const template = filled(await preview(test, {}, from));
    for (const wrong of [{ answer: '1-x' }, { confirm: 'no' }]) {
      const send = { ...template, ...wrong };
      await submit(test, send, from);
    }
    expect(await left(from, {})).to.equal(2);
  });

  it('spends no topic for replies', async () => {
    const from = freshNetwork();
    expect(await left(from)).to.equal(3);
    test.clock.advance(60_000);
    expect(await left(from, {})).to.equal(2);
  });
});
