import { BoardRefusal, type Follower } from '../../client/board-client.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { removeRow } from '../support/remove.js';
import { asking, failure, givenProxies } from './support/asking.js';
import type { Fate } from './support/proxy.js';

const REMOVED = 3;

describe('a client follows', () => {
  const test = givenBoard({ lifted: true });
  const through = givenProxies(test);

  async function post(count: number, replyTo?: number): Promise<number[]> {
    const ids: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const more = replyTo === undefined ? {} : { reply_to: replyTo };
      ids.push((await publish(test, { body: `${n}`, ...more })).message.id);
    }
    return ids;
  }

  async function take(follower: Follower, count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count) {
      const { value, done } = await follower.next();
      if (done) throw new Error('the end of what has none');
      ids.push(value.id);
    }
    return ids;
  }

  function shaky(...fates: Fate[]) {
    let nth = 0;
    return through(() => {
      nth += 1;
      return fates[nth % (fates.length + 1)] ?? 'pass';
    });
  }

  it('every message from the beginning, tombstones too, once', async () => {
    const before = await post(25);
    await removeRow(test, REMOVED);
    const { client, waits } = await shaky(
      'lose-answer',
      { status: 503, body: 'busy', headers: { 'Retry-After': '3' } },
      'lose-request',
    );
    const follower = client.followUpdates({ since: 0, limit: 10 });
    expect(await take(follower, 25)).to.deep.equal(before);
    expect(follower.cursor).to.equal(25);
    const next = take(follower, 2);
    expect(await post(2)).to.deep.equal(await next);
    expect(waits).to.include(3000);
    await follower.return();
  });

  function watched(path: string) {
    let asked = () => {};
    const begun = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { client } = asking(test, {
      fetch: (input, init) => {
        if (String(input).includes(path)) asked();
        const headers = { 'X-Forwarded-For': '203.0.113.1' };
        return fetch(input, { ...init, headers });
      },
    });
    return { client, begun };
  }

  it('only what comes after it began, unless told from where', async () => {
    const [, second = 0, third] = await post(3);
    const { client, begun } = watched('/api/updates');
    const fresh = client.followUpdates();
    const first = take(fresh, 1);
    await begun;
    const [fourth] = await post(1);
    expect(await first).to.deep.equal([fourth]);
    expect(fresh.cursor).to.equal(fourth);
    const resumed = client.followUpdates({ since: second });
    expect(await take(resumed, 2)).to.deep.equal([third, fourth]);
    await Promise.all([fresh.return(), resumed.return()]);
  });

  it('one thread, beside others, each message once', async () => {
    const [root = 0] = await post(1);
    const [other = 0] = await post(1);
    const replies = await post(3, root);
    const { client } = await shaky('lose-answer', 'lose-request');
    const follower = client.followThread(root);
    expect(await take(follower, 4)).to.deep.equal([root, ...replies]);
    const next = take(follower, 3);
    await post(2, other);
    const more = await post(2, root);
    await post(1, other);
    const last = await post(1, more[0]);
    expect(await next).to.deep.equal([...more, ...last]);
    expect(follower.cursor).to.equal(last[0]);
    await follower.return();
  });

  it('a thread from its newest messages, or from a cursor', async () => {
    const [root = 0] = await post(1);
    const replies = await post(120, root);
    const { client } = asking(test);
    const newest = client.followThread(root, { last: 5 });
    expect(await take(newest, 5)).to.deep.equal(replies.slice(-5));
    const whole = client.followThread(replies[7] ?? 0);
    expect(await take(whole, 121)).to.deep.equal([root, ...replies]);
    const resumed = client.followThread(root, { since: replies.at(-1) ?? 0 });
    const next = take(resumed, 1);
    expect(await post(1, root)).to.deep.equal(await next);
    await Promise.all([newest, whole, resumed].map((one) => one.return()));
  });

  it('a thread that ratings have hidden', async () => {
    const [root = 0] = await post(1);
    for (const network of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      await asking(test, { address: network }).client.rate(root, -1);
    }
    const { client } = asking(test);
    const follower = client.followThread(root);
    expect(await take(follower, 1)).to.deep.equal([root]);
    const next = take(follower, 1);
    expect(await post(1, root)).to.deep.equal(await next);
    await follower.return();
  });

  it('until it is stopped, also while it waits', async () => {
    const [since = 0] = await post(1);
    const stop = new AbortController();
    const { client, begun } = watched('/api/updates');
    const follower = client.followUpdates({ since, signal: stop.signal });
    const next = failure(follower.next(), Error);
    await begun;
    stop.abort(new Error('enough'));
    expect((await next).message).to.equal('enough');
  });

  it('and stops at what waiting does not mend', async () => {
    const { client } = asking(test);
    const error = await failure(client.followThread(9999).next(), BoardRefusal);
    expect(error.code).to.equal('thread_not_found');
  });

  it('without hurrying back to a board that does not wait', async () => {
    const stop = new AbortController();
    const waits: number[] = [];
    const { client } = await through(
      ({ path }) =>
        path.startsWith('/api/updates')
          ? { status: 200, body: '{"data":[],"count":0,"cursor":0}' }
          : 'pass',
      {
        sleep: async (ms, signal) => {
          waits.push(ms);
          if (waits.length === 4) stop.abort(new Error('seen'));
          signal?.throwIfAborted();
        },
      },
    );
    const follower = client.followUpdates({ since: 0, signal: stop.signal });
    await failure(follower.next(), Error);
    expect(waits).to.deep.equal([500, 1000, 2000, 4000]);
  });
});
