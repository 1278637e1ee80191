import { expect } from 'chai';
import { Not } from 'typeorm';
import { Stream } from '../../../server/db/entities/counter.js';
import { MeshInboxEntry } from '../../../server/db/entities/inbox-entry.js';
import { fillInboxes } from '../../../server/reading/index.js';
import {
  type Agent,
  publishSigned,
  record,
  register,
} from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { type Post, publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { A, givenMirror, type Node } from './support/linked.js';
import { pull } from './support/pull.js';

type Item = {
  id: number;
  origin?: { board: string };
  answers: { id: number; by: string }[];
};

describe('/api/mesh/inbox/{agent_id}', () => {
  let agent: Agent;
  let there: number;
  let here: number;
  const scene = givenMirror({}, async ({ a, b }) => {
    agent = await register(a);
    await record(b, agent.notes[0] ?? '');
    there = await signed(a, { title: 'On the other board' });
    here = await signed(b, { title: 'On this board' });
    // So that IDs of the boards differ.
    await publish(b, { title: 'Another topic' });
  });

  const signed = async (board: Node, post: Post, who = agent) =>
    (await publishSigned(board, who, { body: 'Signed.', ...post })).message.id;
  const answer = async (board: Node, post: Post) =>
    (await publish(board, post)).message.id;
  const read = async (query = '') => {
    const path = `/api/mesh/inbox/${agent.id}${query}`;
    return (await scene.b.as().get(path).expect(200)).body;
  };
  const found = ({ data }: { data: Item[] }) =>
    data.map(({ id, origin, answers: [first] }) => [
      ...[origin?.board ?? 'own', id, first?.by, first?.id],
    ]);

  it('is one stream over the own board and mirrored ones', async () => {
    const { a, b } = scene;
    expect(await read()).to.include({ count: 0, cursor: 0 });
    const own = await answer(b, { reply_to: here, body: 'Here.' });
    const first = await read();
    expect(found(first)).to.deep.equal([['own', own, 'reply', here]]);
    const mirrored = await answer(a, { reply_to: there, body: 'There.' });
    const topic = { title: 'Names it', body: `See #${there}.` };
    // Texts of guests are not kept here.
    const named = await signed(a, topic, await register(a));
    await signed(a, { reply_to: there });
    await pull(b, a);
    const later = await answer(b, { title: 'Later', body: `As #${here}.` });
    const expected = [
      ['own', own, 'reply', here],
      [A, mirrored, 'reply', there],
      [A, named, 'reference', there],
      ['own', later, 'reference', here],
    ];
    const all = await read();
    expect(found(all)).to.deep.equal(expected);
    expect(all).not.to.have.property('complete');
    for (const { root_title } of all.data) expect(root_title).to.be.a('string');
    expect(found(await read(`?since=${first.cursor}`))).to.deep.equal(
      expected.slice(1),
    );
    const page = await read('?limit=3&preview=3');
    expect(page.data[2].body).to.equal('See');
    const { pathname, search } = new URL(page.next);
    const { body } = await b.as().get(pathname + search);
    expect(found(body)).to.deep.equal(expected.slice(3));
    // Its places are none of those of mirrored messages.
    const updates = await b.as().get('/api/mesh/updates');
    expect(updates.body.cursor).to.be.below(all.cursor);
    await decideTo.remove(b, later);
    expect(found(await read(`?since=${first.cursor}`))).to.have.length(2);
  });

  it('waits for both', async () => {
    const { a, b } = scene;
    const { cursor } = await read('?limit=100');
    const wait = (since: number) => read(`?since=${since}&wait=25`);
    const held = () =>
      until('held', () => b.board.context.events.waiters('mirror') === 1);
    let waiting = wait(cursor);
    await held();
    await answer(b, { title: 'Nobody is named', body: 'Here.' });
    const own = await answer(b, { reply_to: here, body: 'Soon.' });
    const first = await waiting;
    expect(found(first)).to.deep.equal([['own', own, 'reply', here]]);
    const mirrored = await answer(a, { reply_to: there, body: 'Soon.' });
    waiting = wait(first.cursor);
    await held();
    await pull(b, a);
    expect(found(await waiting)).to.deep.equal([[A, mirrored, 'reply', there]]);
    const none = `/api/mesh/inbox/a1${'a'.repeat(32)}`;
    const { body } = await b.as().get(none).expect(404);
    expect(body.error).to.equal('profile_not_found');
  });

  it('is filled for what an older release mirrored', async () => {
    const { b } = scene;
    const before = found(await read('?limit=100'));
    const mirrored = before.filter(([board]) => board === A);
    await rows(b).clear(MeshInboxEntry);
    await rows(b).update(Stream, { name: 'mesh_inbox_fill' }, { lastId: 0 });
    const page = await read('?limit=100');
    expect(page).to.include({ complete: false });
    await fillInboxes(b.board.context.writes, () => true);
    const after = await read('?limit=100');
    expect(found(after).filter(([board]) => board === A)).to.deep.equal(
      mirrored,
    );
    expect(after).to.include({ count: before.length });
    expect(after).not.to.have.property('complete');
  });

  it('shows no later answer before one that an older release mirrored', async () => {
    const { a, b } = scene;
    const { cursor } = await read('?limit=100');
    const name = { name: 'mesh_inbox_fill' };
    const { lastId } = await rows(b).findOneByOrFail(Stream, name);
    const late = await answer(a, { reply_to: there, body: 'Late.' });
    await pull(b, a);
    const mirrored = { messageId: late, originId: Not(0) };
    await rows(b).delete(MeshInboxEntry, mirrored);
    await rows(b).update(Stream, name, { lastId });
    const next = await answer(a, { reply_to: there, body: 'Next.' });
    await pull(b, a);
    const own = await answer(b, { reply_to: here, body: 'Own.' });
    const page = await read(`?since=${cursor}`);
    expect(page).to.include({ count: 0, complete: false, cursor });
    await fillInboxes(b.board.context.writes, () => true);
    const all = await read(`?since=${cursor}`);
    expect(all.data.map(({ id }: Item) => id)).to.deep.equal([late, next, own]);
    expect(all).not.to.have.property('complete');
    const last = await answer(a, { reply_to: there, body: 'Last.' });
    await pull(b, a);
    const end = await read(`?since=${all.cursor}`);
    expect(found(end)).to.deep.equal([[A, last, 'reply', there]]);
    expect(end).not.to.have.property('complete');
  });
});
