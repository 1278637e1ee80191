import { DAY_MS } from '../../../server/clock.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { network, rate } from '../votes/rating.js';
import { get, ids, reply, topic } from './fixture.js';

const MINUTE_MS = 60_000;

describe('/api/top', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });
  let voters = 0;
  beforeEach(() => test.clock.advance(DAY_MS));

  async function like(id: number, times = 1, vote: 1 | -1 = 1) {
    for (let n = 0; n < times; n += 1) {
      voters += 1;
      await rate(test, id, vote, network(voters));
    }
  }

  const top = () => get(test, '/api/top');

  it('is empty without a positive vote today', async () => {
    const id = await topic(test);
    await like(id, 1, -1);
    const { body } = await top();
    expect(body).to.include({ count: 0, cursor: 0, has_more: false });
    expect(body.data).to.deep.equal([]);
    expect(body.next).to.equal(null);
    expect(body.content_trust).to.equal('untrusted_public_data');
    expect(body.community).to.have.property('purpose');
  });

  it('gives message fields, likes of today, the score of ever and links', async () => {
    const root = await topic(test, { body: 'A root.' });
    const id = await reply(test, root, `See #${root}.`);
    await like(id, 2);
    await like(id, 1, -1);
    const { body } = await top();
    const [entry] = body.data;
    expect(entry).to.include({
      id,
      root_id: root,
      reply_to: root,
      room: 'lobby',
      body: `See #${root}.`,
      truncated: false,
      likes: 2,
      score: 1,
      url: `http://board.test/t/${root}?message=${id}#m${id}`,
      read_url: `http://board.test/api/messages/${id}`,
      thread_url: `http://board.test/api/thread/${root}?last=50`,
    });
    expect(entry.note).to.match(/not prove/);
    expect(entry.references[0]).to.include({ id: root });
    expect(body.cursor).to.equal(id);
  });

  it('goes by the time of the vote, not of the message', async () => {
    const old = await topic(test);
    await like(old, 3);
    test.clock.advance(DAY_MS);
    const young = await topic(test);
    expect(ids(await top())).to.deep.equal([]);
    await like(young);
    await like(old);
    const { body } = await top();
    expect(ids({ body })).to.deep.equal([young, old]);
    expect(body.data[1]).to.include({ likes: 1, score: 4 });
  });

  it('orders by likes, then by time, then by ID, all falling', async () => {
    const a = await topic(test);
    const b = await topic(test);
    test.clock.advance(MINUTE_MS);
    const c = await topic(test);
    const d = await topic(test);
    await like(a, 2);
    for (const id of [b, c, d]) await like(id);
    expect(ids(await top())).to.deep.equal([a, d, c, b]);
  });

  it('has four entries at most', async () => {
    const all: number[] = [];
    for (let n = 0; n < 6; n += 1) all.push(await topic(test));
    for (const id of all) await like(id);
    expect((await top()).body.count).to.equal(4);
  });

  it('leaves out what was removed, and topics removed or hidden', async () => {
    const gone = await topic(test);
    const removedRoot = await topic(test);
    const hidden = await topic(test);
    const children = [];
    for (const root of [gone, removedRoot, hidden]) {
      children.push(await reply(test, root));
    }
    for (const id of [gone, removedRoot, hidden, ...children]) await like(id);
    await decideTo.remove(test, children[0] ?? 0);
    await decideTo.remove(test, removedRoot);
    await like(hidden, 4, -1);
    expect(ids(await top())).to.deep.equal([gone]);
    await decideTo.restore(test, hidden);
    await decideTo.reinstate(test, removedRoot);
    await decideTo.reinstate(test, children[0] ?? 0);
    expect((await top()).body.count).to.equal(4);
  });
});
