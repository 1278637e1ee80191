import { WriteRequest } from '../../../server/db/entities/ticket.js';
import {
  currentPair,
  LIFTED_KEYS,
  publishSigned,
  register,
  signed,
} from '../../support/agent.js';
import { BASE_URL } from '../../support/board.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import {
  filled,
  type Post,
  preview,
  publish,
  request,
  submit,
} from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { CONFLICT, expectRefusal } from './refusals.js';

describe('a request_id', () => {
  const test = givenBoard({ lifted: true, limits: LIFTED_KEYS });
  const [root, other] = [1, 2]; // the board's first messages

  before(() => publish(test, { title: 'Root' }));
  before(() => publish(test, { title: 'Other' }));

  async function attempt(post: object, from?: string) {
    const previewed = await preview(test, post as Post, from);
    expect(previewed.status, previewed.text).to.equal(200);
    expect(previewed.body.status).to.equal('preview_only_nothing_published');
    return await submit(test, filled(previewed), from);
  }

  const topic = () => ({
    request_id: randomUUID(),
    body: 'Body',
    title: 'Title',
    name: 'Name',
    room: 'findings',
  });
  const reply = () => ({
    request_id: randomUUID(),
    body: 'Body',
    name: 'Name',
    reply_to: root,
  });

  it('answers the exact retry with the first receipt', async () => {
    for (const post of [topic(), reply()]) {
      const first = await attempt(post);
      expect(first.status).to.equal(201);
      for (const from of ['203.0.113.1', '198.51.100.9', '2001:db8::1']) {
        test.clock.advance(1000);
        const again = await attempt(post, from);
        expect(again.status).to.equal(200);
        expect(again.text.replace('already_published', 'published')).to.equal(
          first.text,
        );
      }
    }
  });

  it('is the same in capitals', async () => {
    const post = topic();
    const first = await attempt(post);
    const capitals = post.request_id.toUpperCase();
    const again = await attempt({ ...post, request_id: capitals });
    expect(again.body.status).to.equal('already_published');
    expect(again.body.message).to.deep.equal(first.body.message);
  });

  it('is the same content when only defaults are spelt out', async () => {
    for (const [sparse, full] of [
      [
        { body: 'Body', title: 'Title' },
        {
          name: 'anonymous-agent',
          room: 'lobby',
          vote: 0,
          reply_to: null,
          board: 'board.test',
        },
      ],
      [
        { body: 'Body', reply_to: root },
        {
          name: 'anonymous-agent',
          vote: 0,
          title: 'Ignored',
          room: 'workshop',
        },
      ],
    ] as const) {
      const request_id = randomUUID();
      const first = await attempt({ request_id, ...sparse });
      expect(first.status).to.equal(201);
      const body = { request_id, ...sparse, ...full };
      const previewed = await test.as().post('/write/preview').send(body);
      const again = await submit(test, filled(previewed));
      expect(again.body.status, again.text).to.equal('already_published');
    }
  });

  for (const [member, make, changes] of [
    ['body', topic, [{ body: 'Body ' }, { body: 'body' }]],
    ['name', topic, [{ name: 'name' }, { name: undefined }]],
    ['title', topic, [{ title: 'Title.' }]],
    ['room', topic, [{ room: 'lobby' }, { room: undefined }]],
    ['reply_to', reply, [{ reply_to: 2 }, { reply_to: undefined, title: 'T' }]],
  ] as const) {
    it(`conflicts when ${member} differs`, async () => {
      for (const change of changes) {
        const post = make();
        expect((await attempt(post)).status).to.equal(201);
        expectRefusal(await attempt({ ...post, ...change }), CONFLICT);
        expect((await attempt(post)).status).to.equal(200);
      }
    });
  }

  it('conflicts when a vote is added, changed or left out', async () => {
    const votes = [undefined, 0, 1, -1];
    for (const [at, given] of votes.entries()) {
      const from = `198.51.100.${20 + at}`;
      const post = { ...reply(), reply_to: other };
      const sent = { ...post, ...(given === undefined ? {} : { vote: given }) };
      expect((await attempt(sent, from)).status).to.equal(201);
      for (const vote of votes) {
        const later = { ...post, ...(vote === undefined ? {} : { vote }) };
        const answer = await attempt(later, from);
        if ((vote ?? 0) === (given ?? 0)) expect(answer.status).to.equal(200);
        else expectRefusal(answer, CONFLICT);
      }
    }
  });

  it('is spent only by a publication', async () => {
    const post = topic();
    await preview(test, post);
    const changed = await attempt({ ...post, body: 'Changed my mind' });
    expect(changed.status).to.equal(201);
    expectRefusal(await attempt(post), CONFLICT);
  });

  it('has its message and first receipt at /api/requests', async () => {
    const post = { ...reply(), body: 'Looked up' };
    const missing = await test.as().get(`/api/requests/${post.request_id}`);
    expectRefusal(missing, { status: 404, error: 'message_not_found' });
    const first = await attempt(post);
    await attempt(post);
    const found = await test.as().get(`/api/requests/${post.request_id}`);
    expect(found.status).to.equal(200);
    expect(found.headers['cache-control']).to.equal('no-store');
    expect(found.body.body).to.equal('Looked up');
    expect(found.body.receipt).to.deep.equal(first.body);
    expect(found.body.receipt.status).to.equal('published');
  });

  it('has one receipt: ids, addresses and a signed head that covers it', async () => {
    const { body, status } = await attempt(topic());
    expect(status).to.equal(201);
    expect(body).to.have.all.keys(
      'status',
      'message',
      'message_hash',
      'read_url',
      'url',
      'replies_url',
      'log',
    );
    const { id } = body.message;
    expect(body.message.root_id).to.equal(id);
    expect(body.read_url).to.equal(`${BASE_URL}/api/messages/${id}`);
    expect(body.url).to.equal(`${BASE_URL}/t/${id}`);
    expect(body.log).to.have.all.keys('origin', 'index', 'size', 'checkpoint');
    expect(body.log.origin).to.equal('board.test/log');
    expect(body.log.index).to.equal(body.log.size - 1);
    const [origin, size] = body.log.checkpoint.split('\n');
    expect([origin, Number(size)]).to.deep.equal([
      'board.test/log',
      body.log.size,
    ]);
    const answer = await attempt(reply());
    const { message, url } = answer.body;
    expect(message.root_id).to.equal(root);
    expect(url).to.equal(
      `${BASE_URL}/t/${root}?message=${message.id}#m${message.id}`,
    );
  });

  it('has the vote as it was accepted in its receipt', async () => {
    const target = (await publish(test, request())).message.id;
    const post = { body: 'Up', reply_to: target, vote: 1 };
    const voted = { message_id: target, vote: 1 };
    const first = await attempt({ ...post, request_id: randomUUID() });
    expect(first.body.vote).to.deep.equal({
      ...voted,
      score: 1,
      status: 'published',
    });
    const second = { ...post, request_id: randomUUID(), vote: -1 };
    const kept = await attempt(second);
    expect(kept.status).to.equal(201);
    expect(kept.body.vote).to.deep.equal({
      ...voted,
      score: 1,
      status: 'already_voted',
    });
    await attempt({ ...post, request_id: randomUUID() }, '198.51.100.30');
    const again = await attempt(second);
    expect(again.body.vote).to.deep.equal(kept.body.vote);
    const { body } = await test.as().get(`/api/messages/${target}`);
    expect(body.score).to.equal(2);
  });

  it('has its receipt again after the table of requests was lost', async () => {
    const poll = { question: 'Which?', options: ['one', 'two'] };
    const posts = [topic(), { ...topic(), title: 'A survey', poll }, reply()];
    const receipts = [];
    for (const post of posts) receipts.push((await attempt(post)).body);
    const agent = await register(test);
    const bound = { ...reply(), vote: 1, body: 'Agreed.' };
    const rated = await publishSigned(test, agent, bound);
    const gone = topic();
    const removed = await publish(test, gone);
    await decideTo.remove(test, removed.message.id);
    await rows(test).deleteAll(WriteRequest);
    await test.restart();
    for (const [at, post] of posts.entries()) {
      const answer = await attempt(post);
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.body).to.deep.equal({
        ...receipts[at],
        status: 'already_published',
      });
    }
    const again = await preview(test, { agent_id: agent.id, ...bound });
    const resigned = await submit(test, signed(again, currentPair(agent)));
    expect(resigned.status, resigned.text).to.equal(200);
    expect(resigned.body.message).to.deep.equal(rated.message);
    for (const other of [gone, { ...posts[0], body: 'Changed.' }]) {
      expectRefusal(await attempt(other), CONFLICT);
    }
  });
});
