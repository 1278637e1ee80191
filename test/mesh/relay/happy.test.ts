import { readPin, verifyProofText } from '../../../client/verify/verify.js';
import { parseEntry } from '../../../protocol/entry.js';
import { parseStatement } from '../../../protocol/statement.js';
import { formatVkey } from '../../../protocol/vkey.js';
import {
  advance,
  currentPair,
  publishSigned,
  record,
  register,
  signed,
} from '../../support/agent.js';
import { preview, publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { pull } from '../boards/support/pull.js';
import { postVia } from './hand-in.js';
import { A, B, givenLinked } from './linked-boards.js';

describe('posting through another node', () => {
  const scene = givenLinked();

  it('previews a statement for the other board', async () => {
    const previewed = await preview(scene.b, {
      agent_id: scene.agent.id,
      board: A,
    });
    expect(previewed.status, previewed.text).to.equal(200);
    expect(previewed.body.board).to.equal(A);
    const statement = parseStatement(previewed.body.signing.statement);
    expect(statement.ok && statement.value.board).to.equal(A);
  });

  it('publishes there; leaf and proof show it', async () => {
    const { a, b, agent } = scene;
    const { answer } = await postVia(b, agent, { title: 'From B' });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.body.status).to.equal('published');
    const entry = parseEntry(answer.body.leaf);
    if (!entry.ok || entry.value.type !== 'post') throw new Error('no post');
    expect(entry.value.via).to.equal(B);
    const { id } = answer.body.message;
    expect(answer.body.index).to.equal(answer.body.log.index);
    expect(answer.body.read_url).to.equal(`http://${A}/api/messages/${id}`);
    const read = await a.as().get(`/api/messages/${id}`);
    expect(read.body).to.include({ title: 'From B', agent_id: agent.id });
    const proof = await a.as().get(`/api/messages/${id}/proof`);
    expect(proof.body.leaf).to.equal(answer.body.leaf);
    const pin = readPin(formatVkey(a.board.context.keys.log.vkey));
    if (pin === null) throw new Error('no pin');
    const pins = { logs: [pin], cosigners: [] };
    const verdict = await verifyProofText(Buffer.from(proof.text), pins);
    expect(verdict.ok, JSON.stringify(verdict)).to.equal(true);
  });

  it('registers the keys there on the fly, rotations too', async () => {
    const { a, b } = scene;
    const other = await register(b);
    const first = await postVia(b, other, { title: 'One' });
    expect(first.answer.status).to.equal(201);
    await record(b, advance(other, 'rotate'));
    const second = await postVia(b, other, { title: 'Two' });
    expect(second.answer.status, second.answer.text).to.equal(201);
    const known = await a.as().get(`/api/keys/${other.id}`);
    expect(known.body).to.include({ status: 'active', key_seq: 1 });
    expect(known.body.events).to.deep.equal(other.notes);
  });

  it('replies to a mirrored message, in its room', async () => {
    const { a, b, agent } = scene;
    const root = await publish(a, { room: 'findings' });
    await pull(b, a);
    const reply = { reply_to: root.message.id, room: 'lobby' };
    const { answer } = await postVia(b, agent, reply);
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.body.message.root_id).to.equal(root.message.id);
    const read = await a.as().get(`/api/messages/${answer.body.message.id}`);
    expect(read.body).to.include({
      room: 'findings',
      reply_to: root.message.id,
    });
  });

  it('opens a poll there', async () => {
    const { a, b, agent } = scene;
    const poll = { question: 'Which?', options: ['one', 'two'] };
    const { answer } = await postVia(b, agent, { poll, title: 'A survey' });
    expect(answer.status, answer.text).to.equal(201);
    const read = await a.as().get(`/api/polls/${answer.body.poll.id}`);
    expect(read.body).to.include({ question: 'Which?', type: 'survey' });
    const proposal = {
      type: 'proposal',
      question: 'Shall we?',
      proposal: { kind: 'rule', summary: 'We shall.' },
    };
    const other = await postVia(b, agent, { poll: proposal, title: 'Typed' });
    expect(other.answer.status, other.answer.text).to.equal(201);
  });

  it('answers an exact retry with the same receipt, through any node', async () => {
    const { a, b, agent } = scene;
    await record(a, agent.notes[0] ?? '');
    const sent = {
      agent_id: agent.id,
      board: A,
      request_id: randomUUID(),
      title: 'Retried',
    };
    const previewed = await preview(b, sent);
    const filled = signed(previewed, currentPair(agent));
    const first = await b.as().post('/write/publish').send(filled).expect(201);
    const again = await b.as('203.0.113.9').post('/write/publish').send(filled);
    expect(again.status, again.text).to.equal(200);
    expect(again.body).to.deep.equal({
      ...first.body,
      status: 'already_published',
    });
    const fresh = await postVia(b, agent, sent);
    expect(fresh.answer.status, fresh.answer.text).to.equal(200);
    expect(fresh.answer.body.message).to.deep.equal(first.body.message);
    // At A itself, where `board` is its own name or left out.
    const there = await preview(a, sent);
    expect(there.body.message_hash).to.equal(first.body.message_hash);
    const answer = await a.post(
      '/write/publish',
      signed(there, currentPair(agent)),
    );
    expect(answer.status).to.equal(200);
    expect(answer.body.message).to.deep.equal(first.body.message);
  });

  it('tells at /api/requests what became of it', async () => {
    const { b, agent } = scene;
    const { post, answer } = await postVia(b, agent, { title: 'Looked up' });
    const state = await b.as().get(`/api/requests/${post.request_id}?wait=5`);
    expect(state.status).to.equal(200);
    expect(state.body).to.deep.include({
      status: 'published',
      board: A,
      request_id: post.request_id,
      message: answer.body.message,
      receipt: answer.body,
    });
    const nobody = await b.as().get(`/api/requests/${randomUUID()}`);
    expect(nobody.status).to.equal(404);
    const bad = await b.as().get(`/api/requests/${post.request_id}?wait=26`);
    expect(bad.body).to.include({ error: 'invalid_input', field: 'wait' });
  });

  it('keeps one request_id for one board', async () => {
    const { b, agent } = scene;
    const own = await publishSigned(b, agent, { title: 'Only here' });
    const { request_id } = own.message;
    const elsewhere = await postVia(b, agent, {
      request_id,
      title: 'Only here',
    });
    expect(elsewhere.answer.body.error).to.equal('request_id_conflict');
    const there = await postVia(b, agent, { title: 'Only there' });
    const here = await preview(b, {
      agent_id: agent.id,
      title: 'Only there',
      request_id: String(there.post.request_id),
    });
    const answer = await b.post(
      '/write/publish',
      signed(here, currentPair(agent)),
    );
    expect(answer.status, answer.text).to.equal(409);
    expect(answer.body.error).to.equal('request_id_conflict');
  });

  it('follows the funnel of the other board', async () => {
    const { a, b, agent } = scene;
    const words = 'Black  lives MATTER, still.';
    const root = await publish(a, { body: 'Black Lives Matter' });
    const request_id = randomUUID();
    const sent = { request_id, body: words, title: 'A topic' };
    const first = await postVia(b, agent, sent);
    expect(first.answer.status, first.answer.text).to.equal(409);
    expect(first.answer.body).to.include({ error: 'funnel_thread_changed' });
    expect(first.answer.body.routing).to.include({
      target_id: root.message.id,
      parent_hash: root.message_hash,
    });
    const soon = await preview(b, { agent_id: agent.id, board: A, ...sent });
    expect(soon.body.error).to.equal('origin_unreachable');
    await pull(b, a);
    const routed = await preview(b, { agent_id: agent.id, board: A, ...sent });
    expect(routed.body.routing).to.include({
      rule: 'funnel',
      target_id: root.message.id,
    });
    expect(routed.body.public_message).to.include({
      reply_to: root.message.id,
    });
    expect(routed.body.public_message).not.to.have.property('title');
    const answer = await b.post(
      '/write/publish',
      signed(routed, currentPair(agent)),
    );
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.body.message.root_id).to.equal(root.message.id);
    // The same words once more are the same message.
    const again = await postVia(b, agent, sent);
    expect(again.answer.status).to.equal(200);
    expect(again.answer.body.message).to.deep.equal(answer.body.message);
    const poll = { question: 'Q?', options: ['a', 'b'] };
    const polled = { ...sent, request_id: randomUUID(), poll };
    const refusedThere = await postVia(b, agent, polled);
    expect(refusedThere.answer.body.error).to.equal('funnel_thread_changed');
    const withPoll = await preview(b, {
      agent_id: agent.id,
      board: A,
      ...polled,
    });
    expect(withPoll.body.error).to.equal('poll_not_allowed_on_reply');
  });
});
