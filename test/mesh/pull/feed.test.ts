import vectors from '../../../docs/spec/mesh-vectors.json' with {
  type: 'json',
};
import {
  feedPageFromJson,
  verifyFeedPage,
} from '../../../protocol/feed-page.js';
import { FEED_BYTES } from '../../../protocol/limits.js';
import { decodeFrontier, emptyFrontier } from '../../../protocol/tree.js';
import { LIFTED_KEYS, publishSigned, register } from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';

describe('GET /log/feed', () => {
  const test = givenBoard({ lifted: true, limits: LIFTED_KEYS });

  before(async () => {
    const agent = await register(test);
    const { message } = await publishSigned(test, agent, { title: 'Signed' });
    await publish(test, {
      title: 'With a poll',
      poll: { question: 'Which?', options: ['a', 'b'], duration_hours: 48 },
    });
    const gone = await publish(test, { body: 'gone', reply_to: message.id });
    await decideTo.remove(test, gone.message.id);
  });

  const feed = async (query: string, from = '203.0.113.1') =>
    await test.as(from).get(`/log/feed?${query}`);

  it('answers the shape of the vectors, key by key', async () => {
    const { body, headers } = await feed('from=1&limit=3&content=all');
    expect(Object.keys(body)).to.eql(Object.keys(vectors.feed_page));
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers['access-control-allow-origin']).to.equal('*');
    const leaves = vectors.feed_page.entries.map((entry) => Object.keys(entry));
    expect(leaves[0]).to.eql(['leaf', 'content']);
    expect(Object.keys(body.entries[1])).to.eql(['leaf', 'content']);
    expect(body.entries.map((entry: object) => 'content' in entry)).to.eql([
      false,
      true,
      true,
    ]);
    expect(body).to.include({ from: 1, to: 4, protocol: 'reserve-mesh/1' });
  });

  it('gives pages of any cut that prove themselves', async () => {
    const { keys } = test.board.context;
    for (const limit of [1, 2, 3, 5, 256]) {
      let frontier = emptyFrontier();
      for (let last = -1; frontier.size > last; ) {
        last = frontier.size;
        const { body } = await feed(`from=${last}&limit=${limit}&content=all`);
        const page = feedPageFromJson(body);
        if (!page.ok) throw new Error('no page');
        const verified = verifyFeedPage(page.value, frontier, keys.log.vkey);
        if (!verified.ok) throw new Error(verified.reason);
        frontier = verified.value.frontier;
      }
      const [head] = await test.board.context.reads.query<{
        size: number;
        frontier: Buffer;
      }>('SELECT size, frontier FROM log_state WHERE origin_id = 0');
      const kept = decodeFrontier(
        head?.size ?? 0,
        head?.frontier ?? Buffer.of(),
      );
      expect(frontier.hashes.map((hash) => Buffer.from(hash))).to.eql(
        kept.hashes.map((hash) => Buffer.from(hash)),
      );
    }
  });

  it('gives contents as asked, null once removed', async () => {
    const contents = async (content: string) => {
      const { body } = await feed(`from=2&limit=3&content=${content}`);
      return body.entries.map(
        (entry: { content?: { title?: string } | null }) =>
          entry.content === undefined
            ? 'none'
            : (entry.content?.title ?? entry.content),
      );
    };
    expect(await contents('all')).to.eql(['Signed', 'With a poll', null]);
    expect(await contents('signed')).to.eql(['Signed', 'none', 'none']);
    expect(await contents('none')).to.eql(['none', 'none', 'none']);
    const { body } = await feed('from=3&limit=1&content=all');
    expect(body.entries[0].content.poll).to.eql({
      question: 'Which?',
      options: ['a', 'b'],
      duration_hours: 48,
    });
  });

  it('waits at the end and is released by the next entry', async () => {
    const { body: now } = await feed('from=0&limit=1');
    const size = Number(now.checkpoint.split('\n')[1]);
    const waiting = feed(`from=${size}&wait=20`).then(({ body }) => body);
    await until('the wait', () => test.board.context.events.waiters('log') > 0);
    await publish(test, { body: 'wakes the mirror' });
    const page = await waiting;
    expect(page).to.include({ from: size, to: size + 1 });
    const { body: empty } = await feed(`from=${size + 1}`);
    expect(empty).to.include({ from: size + 1, to: size + 1 });
    expect(empty.entries).to.eql([]);
    expect(empty.consistency).to.eql([]);
  });

  it('says that a cursor lies beyond the log, with its head', async () => {
    const answer = await feed('from=1000&wait=5');
    expect(answer.status).to.equal(409);
    expect(answer.body.error).to.equal('cursor_ahead');
    expect(answer.body.checkpoint).to.match(/^board\.test\/log\n/);
  });

  it('takes four waits of a network, and leaves its place again', async () => {
    const { body } = await feed('from=0&limit=1');
    const size = Number(body.checkpoint.split('\n')[1]);
    const waits = [1, 2, 3, 4].map(() =>
      feed(`from=${size}&wait=20`, '203.0.113.9').then(({ status }) => status),
    );
    const { readLimiter } = test.board.context;
    await until('four places', () => readLimiter.taken('mesh') === 4);
    const fifth = await feed(`from=${size}&wait=1`, '203.0.113.9');
    expect(fifth.status).to.equal(429);
    expect(fifth.body.scope).to.equal('mesh_waits_per_network');
    const unwaiting = await feed(`from=${size}`, '203.0.113.9');
    expect(unwaiting.status).to.equal(200);
    const own = await test.get(
      '/api/updates?since=999999&wait=1',
      '203.0.113.9',
    );
    expect(own.status).to.equal(200);
    await publish(test, { body: 'lets them go' });
    expect(await Promise.all(waits)).to.eql([200, 200, 200, 200]);
    const after = await feed(`from=${size + 1}&wait=1`, '203.0.113.9');
    expect(after.status).to.equal(200);
  });

  it('closes a page at 2 MiB and packs it for who asks', async () => {
    const body = '\u{1F9FF}\\"'.repeat(1300);
    for (let n = 0; n < 130; n += 1) await publish(test, { body });
    const { body: page } = await feed('from=0&content=all');
    const bytes = Buffer.byteLength(JSON.stringify(page));
    expect(bytes).to.be.within(FEED_BYTES / 2, FEED_BYTES);
    expect(page.to).to.be.lessThan(256);
    const packed = await fetch(`${test.url}/log/feed?from=0&content=all`, {
      headers: { 'Accept-Encoding': 'gzip', 'X-Forwarded-For': '203.0.113.1' },
    });
    expect(packed.headers.get('content-encoding')).to.equal('gzip');
    expect(packed.headers.get('vary')).to.match(/accept-encoding/i);
    expect((await packed.json()).to).to.equal(page.to);
  });
});
