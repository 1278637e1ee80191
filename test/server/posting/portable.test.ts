import { expect } from 'chai';
import type { LimitName } from '../../../server/limits.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { boardForAllTests } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import {
  filled,
  type Post,
  preview,
  publish,
  request,
} from '../../support/post.js';
import { expectRefusal } from './refusals.js';

let networks = 0;

function networkPair(): [string, string] {
  networks += 2;
  return [`192.0.2.${networks}`, `192.0.2.${networks + 1}`];
}

/** What a network spent in a scope, told by how much of a limit is left. */
async function left(
  test: TestBoard,
  from: string,
  root: number,
  topic: boolean,
): Promise<number> {
  for (let n = 0; ; n += 1) {
    const post = topic ? {} : { reply_to: root };
    const previewed = await preview(test, post, from);
    const answer = await test
      .as(from)
      .post('/write/publish')
      .send(filled(previewed));
    if (answer.status !== 201) return n;
  }
}

describe('which network pays for a write', () => {
  let test: TestBoard;
  let root: number;

  boardForAllTests(
    {
      limits: { ...LIFTED, writes_per_network_minute: 3 },
    },
    async (made) => {
      test = made;
      root = (await publish(test, {}, '198.51.100.1')).message.id;
    },
  );

  /** Previewed from one network, published from another. */
  async function carry(post: Post, from: string, to: string) {
    const template = filled(await preview(test, post, from));
    return await test.as(to).post('/write/publish').send(template);
  }

  it('is the publishing one alone when it previewed itself', async () => {
    const [one, other] = networkPair();
    await publish(test, { reply_to: root }, one);
    expect(await left(test, one, root, false)).to.equal(2);
    expect(await left(test, other, root, false)).to.equal(3);
  });

  it('are both when a plain ticket travelled, for reply and topic', async () => {
    for (const post of [{ reply_to: root }, {}, { reply_to: root, vote: 0 }]) {
      const [from, to] = networkPair();
      expect((await carry(post, from, to)).status).to.equal(201);
      expect(await left(test, from, root, false)).to.equal(2);
      expect(await left(test, to, root, false)).to.equal(2);
    }
  });

  it('refuses when either has no room, and then spends neither', async () => {
    for (const full of [0, 1]) {
      const pair = networkPair();
      for (let n = 0; n < 3; n += 1) {
        await publish(test, { reply_to: root }, pair[full]);
      }
      const answer = await carry({ reply_to: root }, ...pair);
      expectRefusal(answer, {
        status: 429,
        error: 'rate_limited',
        scope: 'writes_per_network_minute',
      });
      const roomy = pair[1 - full] ?? '';
      expect(await left(test, roomy, root, false)).to.equal(3);
    }
  });

  it('treats an IPv6 /64 as one network, and mapped IPv4 as IPv4', async () => {
    for (const [one, same] of [
      ['2001:db8:0:7::1', '2001:db8:0:7:ffff:ffff:ffff:ffff'],
      ['192.0.2.251', '::ffff:192.0.2.251'],
    ] as const) {
      expect((await carry({ reply_to: root }, one, same)).status).to.equal(201);
      expect(await left(test, one, root, false)).to.equal(2);
    }
    const [near, far] = ['2001:db8:0:8::1', '2001:db8:0:9::1'];
    expect((await carry({ reply_to: root }, near, far)).status).to.equal(201);
    expect(await left(test, near, root, false)).to.equal(2);
    expect(await left(test, far, root, false)).to.equal(2);
  });

  it('keeps a ticket with a vote in its network', async () => {
    const [from, to] = networkPair();
    for (const vote of [1, -1]) {
      const post = request({ reply_to: root, vote });
      const template = filled(await preview(test, post, from));
      const moved = await test.as(to).post('/write/publish').send(template);
      expectRefusal(moved, { status: 409, error: 'network_changed' });
      const stayed = await test.as(from).post('/write/publish').send(template);
      expect(stayed.status).to.equal(201);
      const retried = await test.as(to).post('/write/publish').send(template);
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
    const kept = await test.as(from).post('/write/publish').send(bound);
    expect(kept.status, kept.text).to.equal(201);
    const carried = await test.as(to).post('/write/publish').send(plain);
    expect(carried.status).to.equal(201);
    expect(await left(test, from, root, false)).to.equal(1);
    expect(await left(test, to, root, false)).to.equal(2);
  });

  it('spends attempts of the publishing network only', async () => {
    const board = await startBoard({
      limits: { ...LIFTED, publish_attempts_per_network_minute: 2 },
    });
    const [from, to] = networkPair();
    const post = async (sender: string) => {
      const template = filled(await preview(board, {}, from));
      return await board.as(sender).post('/write/publish').send(template);
    };
    for (let n = 0; n < 2; n += 1) {
      expect((await post(to)).status).to.equal(201);
    }
    expect((await post(to)).status).to.equal(429);
    for (let n = 0; n < 2; n += 1) {
      expect((await post(from)).status).to.equal(201);
    }
    await checkLedger(board);
    await board.stop();
  });
});

describe('what spends what', () => {
  const LIMITS: Partial<Record<LimitName, number>> = {
    ...LIFTED,
    writes_per_network_minute: 2,
    topics_per_source_hour: 2,
    publish_attempts_per_network_minute: 12,
    previews_per_network_hour: 30,
  };
  let test: TestBoard;
  let root: number;

  boardForAllTests({ limits: LIMITS }, async (made) => {
    test = made;
    root = (await publish(test, {}, '198.51.100.1')).message.id;
  });

  it('exact retries: attempts, but no write', async () => {
    const [from] = networkPair();
    const template = filled(await preview(test, { reply_to: root }, from));
    for (let n = 0; n < 12; n += 1) {
      const answer = await test.as(from).post('/write/publish').send(template);
      expect(answer.status).to.equal(n === 0 ? 201 : 200);
    }
    const last = await test.as(from).post('/write/publish').send(template);
    expectRefusal(last, {
      status: 429,
      error: 'rate_limited',
      scope: 'publish_attempts_per_network_minute',
    });
    test.clock.advance(60_000);
    expect(await left(test, from, root, false)).to.equal(2);
  });

  it('refused publications: no write and no topic', async () => {
    const [from] = networkPair();
    const template = filled(await preview(test, {}, from));
    for (const wrong of [{ answer: '1-x' }, { confirm: 'no' }]) {
      const send = { ...template, ...wrong };
      await test.as(from).post('/write/publish').send(send);
    }
    expect(await left(test, from, root, true)).to.equal(2);
  });

  it('replies: no topic', async () => {
    const [from] = networkPair();
    expect(await left(test, from, root, false)).to.equal(2);
    test.clock.advance(60_000);
    expect(await left(test, from, root, true)).to.equal(2);
  });

  it('a new publication: what is left of the limit of writes', async () => {
    const [from] = networkPair();
    await publish(test, {}, from);
    test.clock.advance(60_000);
    expect(await left(test, from, root, true)).to.equal(1);
  });
});
