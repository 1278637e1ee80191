import { expect } from 'chai';
import { publishSigned, register } from '../../support/agent.js';
import { checkLedger } from '../../support/check-ledger.js';
import { decideTo } from '../../support/decide.js';
import { publish } from '../../support/post.js';
import { addPeer, type Node, startNode } from './support/linked.js';
import { pull } from './support/pull.js';

const A = 'board-a.example';
const BOARD = `/api/mesh/boards/${A}`;

describe('what mirrored boards do not show', () => {
  let a: Node;
  let b: Node;
  const get = async (path: string, status = 200) => {
    const answer = await b.as().get(path);
    expect(answer.status, `${path}: ${answer.text}`).to.equal(status);
    return answer.body;
  };
  const peer = (change: string) =>
    b.board.context.writes.query(`UPDATE peer SET ${change}`);
  const ids = ({ data }: { data: { id: number }[] }) =>
    data.map(({ id }) => id);

  beforeEach(async () => {
    a = await startNode(A);
    b = await startNode('board-b.example');
    await addPeer(b, a);
    const agent = await register(a);
    await publishSigned(a, agent, { title: 'One', body: 'Root text #2.' });
    await publishSigned(a, agent, { body: 'Reply text.', reply_to: 1 });
    await publishSigned(a, agent, { title: 'Two', body: 'Other text.' });
    await pull(b, a);
  });

  afterEach(async () => {
    await checkLedger(a);
    await a.stop();
    await b.stop();
  });

  it('leaves a tombstone of what its board removed', async () => {
    await decideTo.remove(a, 2);
    await pull(b, a);
    const thread = await get(`${BOARD}/thread/1`);
    const { origin, decisions, ...tombstone } = thread.data[1];
    expect(tombstone).to.deep.equal({
      id: 2,
      root_id: 1,
      reply_to: 1,
      room: 'lobby',
      created_at: tombstone.created_at,
      removed: true,
      moderation_url: `http://${A}/api/moderation/2`,
    });
    expect(origin).to.include({ board: A, index: 3 });
    expect(decisions[0]).to.include({ action: 'remove', reason: 'spam' });
    expect(thread.data[0].references).to.deep.equal([]);
    const gone = await get(`${BOARD}/messages/2`, 404);
    expect(gone).to.include({
      error: 'message_not_found',
      moderation_url: `http://${A}/api/moderation/2`,
    });
    expect((await get('/api/mesh/search?q=Reply')).count).to.equal(0);
    const merged = await get('/api/mesh/updates');
    expect(merged.data[1].removed).to.equal(true);
    const rows = await b.board.context.reads.query<{ body: string | null }>(
      'SELECT body FROM mirror_message WHERE id = 2',
    );
    expect(rows[0]?.body).to.equal(null);
  });

  it('answers 451 to what an operator of this node hid', async () => {
    await b.board.context.writes.query(
      `UPDATE mirror_message SET hidden_at = 1, hidden_reason = 'legal'
       WHERE id IN (2, 3)`,
    );
    for (const path of [
      'messages/2',
      'messages/2/proof',
      'messages/3',
      'thread/3',
    ]) {
      const refused = await get(`${BOARD}/${path}`, 451);
      expect(refused.error, path).to.equal('hidden_by_operator');
    }
    const thread = await get(`${BOARD}/thread/2`);
    expect(thread.data[1]).to.include({ id: 2, withheld: 'operator' });
    expect(thread.data[1]).to.not.have.any.keys('body', 'author');
    expect(ids(await get(`${BOARD}/threads`))).to.deep.equal([1]);
    const search = await b.as().get('/api/mesh/search?q=text');
    expect(ids(search.body)).to.deep.equal([1]);
    const merged = await b.as().get('/api/mesh/updates');
    expect(merged.text).to.not.match(/Reply text|Other text/);
  });

  it('hides nothing here because of a removal there, and the reverse', async () => {
    await b.board.context.writes.query(
      'UPDATE mirror_message SET hidden_at = 1 WHERE id = 2',
    );
    await decideTo.remove(a, 2);
    await decideTo.reinstate(a, 2);
    await pull(b, a);
    await get(`${BOARD}/messages/2`, 451);
    await get(`${BOARD}/messages/1`);
    expect((await a.as().get('/api/messages/2')).status).to.equal(200);
  });

  it('shows a hiding of its board beside the topic, or follows it', async () => {
    await decideTo.hide(a, 1);
    await pull(b, a);
    const beside = await get(`${BOARD}/threads`);
    expect(ids(beside)).to.deep.equal([3, 1]);
    expect(beside.data[1].visibility).to.equal('visible');
    expect(beside.data[1].decisions[0].action).to.equal('hide');
    await peer("decisions = 'follow'");
    expect(ids(await get(`${BOARD}/threads`))).to.deep.equal([3]);
    expect(ids(await get(`${BOARD}/threads?visibility=hidden`))).to.deep.equal([
      1,
    ]);
    const thread = await get(`${BOARD}/thread/1`);
    expect(thread.visibility).to.deep.equal({
      state: 'hidden_by_ratings',
      hidden_by_decision: true,
    });
    expect(ids(await get('/api/mesh/search?q=text'))).to.deep.equal([3]);
    expect(ids(await get(`${BOARD}/updates`))).to.deep.equal([3]);
    await decideTo.restore(a, 1);
    await pull(b, a);
    expect(ids(await get(`${BOARD}/threads`))).to.deep.equal([3, 1]);
  });

  it('keeps a quarantined mirror readable and marked', async () => {
    await peer("status = 'quarantined', status_reason = 'equivocation'");
    const { data } = await get('/api/mesh/boards');
    expect(data[0].status).to.equal('quarantined');
    const message = await get(`${BOARD}/messages/1`);
    expect(message.origin.mirror_status).to.equal('quarantined');
    await get(`${BOARD}/messages/1/proof`);
  });

  it('knows nothing of a blocked or a pending board', async () => {
    for (const change of [
      "status = 'blocked'",
      "status = 'pending', confirmed_at = NULL",
    ]) {
      await peer(change);
      expect((await get('/api/mesh/boards')).data).to.deep.equal([]);
      const refused = await get(`${BOARD}/messages/1`, 404);
      expect(refused.error).to.equal('unknown_board');
      expect((await get('/api/mesh/updates')).data).to.deep.equal([]);
      expect((await get('/api/mesh/search?q=text')).data).to.deep.equal([]);
    }
  });

  it('shows guests whole where the operator wants them', async () => {
    await publish(a, { body: 'A guest text.', reply_to: 1 });
    await peer("content = 'all'");
    await pull(b, a);
    const guest = await get(`${BOARD}/messages/4`);
    expect(guest).to.include({
      body: 'A guest text.',
      signature_status: 'guest',
      agent_id: null,
    });
  });

  it('gives no texts of a board that is only proven', async () => {
    const c = await startNode('board-c.example');
    try {
      await addPeer(c, a, { trust: 'proofs' });
      await pull(c, a);
      const { body } = await c.as().get(`${BOARD}/messages/1`);
      expect(body).to.include({
        withheld: 'trust',
        signature_status: 'signed',
      });
      const proof = await c.as().get(`${BOARD}/messages/1/proof`);
      expect(proof.body).to.include({ state: 'published', content: null });
    } finally {
      await c.stop();
    }
  });

  it('never shows a time before its entry or after its arrival', async () => {
    b.clock.advance(-86_400_000);
    const agent = await register(a);
    await publishSigned(a, agent, { title: 'Later', body: 'From tomorrow.' });
    await pull(b, a);
    const shown = await get(`${BOARD}/messages/4`);
    const there = (await a.as().get('/api/messages/4')).body;
    expect(shown.created_at < there.created_at).to.equal(true);
    expect(shown.created_at).to.equal(shown.origin.mirrored_at);
  });
});
