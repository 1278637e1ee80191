import { createHash } from 'node:crypto';
import { In } from 'typeorm';
import { MirrorMessage } from '../../../server/db/entities/mirror-message.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { type Agent, publishSigned, register } from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { type Post, publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { A, addPeer, givenMirror, startNode } from './support/linked.js';
import { pull } from './support/pull.js';

const BOARD = `/api/mesh/boards/${A}`;

describe('what mirrored boards do not show', () => {
  let agent: Agent;
  let root: number;
  let reply: number;
  let other: number;
  let since: number;
  const scene = givenMirror({}, async ({ a }) => {
    agent = await register(a);
  });

  const get = async (path: string, status = 200) => {
    const answer = await scene.b.as().get(path);
    expect(answer.status, `${path}: ${answer.text}`).to.equal(status);
    return answer.body;
  };
  const peer = (change: Partial<Peer>) => rows(scene.b).updateAll(Peer, change);
  const ids = ({ data }: { data: { id: number }[] }) =>
    data.map(({ id }) => id).filter((id) => id >= root);

  beforeEach(async () => {
    const { a, b } = scene;
    since = (await get('/api/mesh/updates?limit=100')).cursor;
    const post = async (of: Post) =>
      (await publishSigned(a, agent, of)).message.id;
    root = await post({ title: 'One', body: 'Root text #2.' });
    reply = await post({ body: 'Reply text.', reply_to: root });
    other = await post({ title: 'Two', body: 'Other text.' });
    await pull(b, a);
  });

  afterEach(async () => {
    const well = {
      status: 'active',
      confirmedAt: 1,
      content: 'signed',
    } as const;
    await peer({ ...well, decisions: 'annotate' });
  });

  it('leaves a tombstone of what its board removed', async () => {
    const { a, b } = scene;
    await decideTo.remove(a, reply);
    await pull(b, a);
    const thread = await get(`${BOARD}/thread/${root}`);
    const { origin, decisions, ...tombstone } = thread.data[1];
    expect(tombstone).to.deep.equal({
      id: reply,
      root_id: root,
      reply_to: root,
      room: 'lobby',
      created_at: tombstone.created_at,
      removed: true,
      moderation_url: `http://${A}/api/moderation/${reply}`,
    });
    expect(origin).to.include({ board: A, index: reply + 1 });
    expect(decisions[0]).to.include({ action: 'remove', reason: 'spam' });
    expect(thread.data[0].references).to.deep.equal([]);
    const gone = await get(`${BOARD}/messages/${reply}`, 404);
    expect(gone).to.include({
      error: 'message_not_found',
      moderation_url: `http://${A}/api/moderation/${reply}`,
    });
    expect(ids(await get('/api/mesh/search?q=Reply'))).to.deep.equal([]);
    const merged = await get(`/api/mesh/updates?since=${since}`);
    expect(merged.data[1].removed).to.equal(true);
    const row = await rows(b).findOneByOrFail(MirrorMessage, { id: reply });
    expect(row.body).to.equal(null);
  });

  it('answers 451 to what an operator of this node hid', async () => {
    const { b } = scene;
    const hidden = { hiddenAt: 1, hiddenReason: 'legal' } as const;
    await rows(b).update(MirrorMessage, { id: In([reply, other]) }, hidden);
    for (const path of [
      `messages/${reply}`,
      `messages/${reply}/proof`,
      `messages/${other}`,
      `thread/${other}`,
    ]) {
      const refused = await get(`${BOARD}/${path}`, 451);
      expect(refused.error, path).to.equal('hidden_by_operator');
    }
    const thread = await get(`${BOARD}/thread/${reply}`);
    expect(thread.data[1]).to.include({ id: reply, withheld: 'operator' });
    expect(thread.data[1]).to.not.have.any.keys('body', 'author');
    expect(ids(await get(`${BOARD}/threads`))).to.deep.equal([root]);
    const search = await b.as().get('/api/mesh/search?q=text');
    expect(ids(search.body)).to.deep.equal([root]);
    const merged = await b.as().get(`/api/mesh/updates?since=${since}`);
    expect(merged.text).to.not.match(/Reply text|Other text/);
  });

  it('shows a hiding of its board beside the topic, or follows it', async () => {
    const { a, b } = scene;
    await decideTo.hide(a, root);
    await pull(b, a);
    const beside = await get(`${BOARD}/threads`);
    expect(ids(beside)).to.deep.equal([other, root]);
    expect(beside.data[1].visibility).to.equal('visible');
    expect(beside.data[1].decisions[0].action).to.equal('hide');
    await peer({ decisions: 'follow' });
    expect(ids(await get(`${BOARD}/threads`))).to.deep.equal([other]);
    expect(ids(await get(`${BOARD}/threads?visibility=hidden`))).to.deep.equal([
      root,
    ]);
    const thread = await get(`${BOARD}/thread/${root}`);
    expect(thread.visibility).to.deep.equal({
      state: 'hidden_by_ratings',
      hidden_by_decision: true,
    });
    expect(ids(await get('/api/mesh/search?q=text'))).to.deep.equal([other]);
    expect(ids(await get(`${BOARD}/updates`))).to.deep.equal([other]);
    await decideTo.restore(a, root);
    await pull(b, a);
    expect(ids(await get(`${BOARD}/threads`))).to.deep.equal([other, root]);
  });

  it('keeps a quarantined mirror readable and marked', async () => {
    await peer({ status: 'quarantined', statusReason: 'equivocation' });
    const { data } = await get('/api/mesh/boards');
    expect(data[0].status).to.equal('quarantined');
    const message = await get(`${BOARD}/messages/${root}`);
    expect(message.origin.mirror_status).to.equal('quarantined');
    await get(`${BOARD}/messages/${root}/proof`);
  });

  it('knows nothing of a blocked or a pending board', async () => {
    for (const change of [
      { status: 'blocked' },
      { status: 'pending', confirmedAt: null },
    ] as const) {
      await peer(change);
      expect((await get('/api/mesh/boards')).data).to.deep.equal([]);
      const refused = await get(`${BOARD}/messages/${root}`, 404);
      expect(refused.error).to.equal('unknown_board');
      expect((await get('/api/mesh/updates')).data).to.deep.equal([]);
      expect((await get('/api/mesh/search?q=text')).data).to.deep.equal([]);
    }
  });

  it('shows guests whole where the operator wants them', async () => {
    const { a, b } = scene;
    await publish(a, { body: 'A guest text.', reply_to: root });
    await peer({ content: 'all' });
    await pull(b, a);
    const guest = await get(`${BOARD}/messages/${other + 1}`);
    expect(guest).to.include({
      body: 'A guest text.',
      signature_status: 'guest',
      agent_id: null,
    });
  });

  it('gives no texts of a board that is only proven', async () => {
    const { a } = scene;
    const reply = { body: 'A guest text.', reply_to: root };
    const { message } = await publish(a, reply);
    const c = await startNode('board-c.example');
    try {
      await addPeer(c, a, { trust: 'proofs' });
      await pull(c, a);
      const { body } = await c.as().get(`${BOARD}/messages/${root}`);
      expect(body).to.include({
        withheld: 'trust',
        signature_status: 'signed',
      });
      const ofGuest = await c.as().get(`${BOARD}/messages/${message.id}`);
      expect(ofGuest.body).to.include({ withheld: 'trust' });
      const { index } = ofGuest.body.origin;
      const log = a.board.context.board.origin;
      const hash = createHash('sha256').update(log).digest('hex');
      for (const [at, code] of [
        [index, 'withheld'],
        [0, 'not_found'],
      ] as const) {
        await c
          .get(`/mirror/${hash}/content?index=${at}`)
          .expect(404)
          .expect(({ body: { error } }) => expect(error).to.equal(code));
      }
      const proof = await c.as().get(`${BOARD}/messages/${root}/proof`);
      expect(proof.body).to.include({ state: 'published', content: null });
    } finally {
      await c.stop();
    }
  });

  it('never shows a time before its entry or after its arrival', async () => {
    const { a, b } = scene;
    b.clock.advance(-86_400_000);
    const agent = await register(a);
    await publishSigned(a, agent, { title: 'Later', body: 'From tomorrow.' });
    await pull(b, a);
    const shown = await get(`${BOARD}/messages/${other + 1}`);
    const there = (await a.as().get(`/api/messages/${other + 1}`)).body;
    expect(shown.created_at < there.created_at).to.equal(true);
    expect(shown.created_at).to.equal(shown.origin.mirrored_at);
    b.clock.advance(86_400_000);
  });
});
