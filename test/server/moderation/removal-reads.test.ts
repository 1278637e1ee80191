import { createHash } from 'node:crypto';
import { Message, SealedContent } from '../../../server/db/entities/message.js';
import { decideTo } from '../../support/decide.js';
import type { OpenApi } from '../../support/described.js';
import { givenBoard } from '../../support/hooks.js';
import { filled, preview, publish, submit } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { openPoll, vote } from '../polls/polling.js';
import { expectRefusal, invalid } from '../posting/refusals.js';
import { network, rate } from '../votes/rating.js';

/** Words that stand in the removed messages and nowhere else. */
const WORDS = ['quokka', 'wombat', 'numbat', 'bandicoot', 'potoroo', 'kowari'];

describe('A removed message', () => {
  const test = givenBoard({ lifted: true });
  let topic: number;
  let poll: number;
  let reply: number;
  let namer: number;
  const requestId = randomUUID();
  /** Every read, of the topic where it is of one message. */
  const described: string[] = [];

  before(async () => {
    const opened = await openPoll(
      test,
      { question: 'Is it a numbat?', options: ['bandicoot', 'potoroo'] },
      {
        title: 'About the quokka',
        body: 'A wombat: see #1 and https://kowari.example/x',
        name: 'kowari',
        request_id: requestId,
      },
    );
    topic = opened.rootId;
    poll = opened.id;
    reply = (await publish(test, { reply_to: topic, body: 'numbat #1' }))
      .message.id;
    const second = { reply_to: reply, body: `Read #${topic} and #${reply}.` };
    namer = (await publish(test, second)).message.id;
    await vote(test, poll, 'bandicoot', network(1));
    for (const id of [topic, reply]) await rate(test, id, 1, network(2));
    const { paths } = (await test.as().get('/openapi.json')).body as OpenApi;
    for (const [path, methods] of Object.entries(paths)) {
      const named = path.replace(/\{\w+\}/, String(topic));
      if (methods.get !== undefined) described.push(named);
    }
    await test.board.background.jobs.runOnce('daily_selection');
  });

  const paths = () => [
    ...described,
    '/api/threads?sort=active',
    '/api/threads?visibility=all',
    '/api/threads?unanswered=1',
    `/api/thread/${topic}?last=1`,
    `/api/thread/${topic}?before=${namer}&limit=1`,
    `/api/thread/${topic}?format=text`,
    `/api/thread/${namer}?last=1&full=1`,
    `/api/updates?reply_to=${topic}`,
    `/api/messages/${reply}`,
    `/api/messages/${namer}`,
    `/api/requests/${requestId}`,
    ...WORDS.map((word) => `/api/search?q=${word}&visibility=all`),
    `/api/polls/${poll}`,
    '/log/content?index=1',
    '/log/content?index=2',
  ];

  /** Each read from a network of its own, for programs and for people. */
  async function readAll(): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    for (const [place, path] of paths().entries()) {
      for (const form of ['*/*', 'text/html']) {
        const asked = test.as(network(100 + place)).get(path);
        const { text, body } = await asked.set('Accept', form);
        texts.set(`${path} as ${form}`, text ?? String(body));
      }
    }
    return texts;
  }

  const sha = (text: string) => createHash('sha256').update(text).digest('hex');

  it('shows on every read path first', async () => {
    const all = [...(await readAll()).values()].join('\n');
    for (const word of WORDS) expect(all).to.include(word);
  });

  it('leaves every read path, and nothing derived from it stays', async () => {
    const body = 'A wombat: see #1 and https://kowari.example/x';
    await decideTo.remove(test, reply);
    await decideTo.remove(test, topic);
    for (const [path, text] of await readAll()) {
      for (const word of WORDS) {
        const asked = path.includes(`q=${word}`) ? `q=${word}` : '';
        expect(text.replaceAll(asked, ''), path).not.to.include(word);
      }
      expect(text, path).not.to.include(sha(body));
      expect(text, path).not.to.include(sha('numbat #1'));
    }
  });

  it('is in no table but the sealed one', async () => {
    const { writes } = test.board.context;
    const tables = await writes.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await writes.query(
        `SELECT 1 FROM "${name}" t WHERE t::text ~* $1 LIMIT 1`,
        [WORDS.join('|')],
      );
      if (row !== undefined) found.push(name);
    }
    expect(found).to.deep.equal(['sealed_content']);
  });

  it('is a tombstone in chronological reads and is counted', async () => {
    const tombstone = {
      id: topic,
      root_id: topic,
      reply_to: null,
      room: 'lobby',
      created_at: '2026-01-15T12:00:00Z',
      removed: true,
      moderation_url: `http://board.test/api/moderation/${topic}`,
    };
    const thread = await test.as().get(`/api/thread/${topic}`);
    expect(thread.body.count).to.equal(3);
    expect(thread.body.data[0]).to.deep.equal(tombstone);
    expect(thread.body.title).to.equal(null);
    expect(thread.body).not.to.have.property('poll');
    const updates = await test.as().get('/api/updates');
    expect(updates.body.data[0]).to.deep.equal(tombstone);
    const all = await test.as().get('/all.txt');
    expect(all.text).to.include(`REMOVED ${JSON.stringify(tombstone)}\n`);
    const parent = await test.as().get(`/api/thread/${topic}?last=1`);
    expect(parent.body.parent_messages[0]).to.include({
      id: reply,
      removed: true,
    });
  });

  it('answers 404 with moderation_url, and its receipt for ever', async () => {
    const message = await test.as().get(`/api/messages/${topic}`).expect(404);
    expect(message.body.error).to.equal('message_not_found');
    expect(message.body.moderation_url).to.equal(
      `http://board.test/api/moderation/${topic}`,
    );
    const request = await test.as().get(`/api/requests/${requestId}`);
    expect(request.status).to.equal(200);
    expect(request.body).to.include({ id: topic, removed: true });
    expect(request.body.receipt.message.id).to.equal(topic);
  });

  it('is no reference, no reply target, no vote target any more', async () => {
    const { body } = await test.as().get(`/api/messages/${namer}`);
    expect(body.references).to.deep.equal([]);
    const answer = await preview(test, { reply_to: topic });
    expectRefusal(answer, invalid('reply_to'));
    const rating = await test.post(`/api/messages/${reply}/votes/preview`, {
      vote: 1,
    });
    expect(rating.status).to.equal(404);
  });

  it('takes replies off the counters of their topic', async () => {
    const { body } = await test.get('/api/threads?visibility=all&sort=active');
    expect(body.data[0]).to.include({ id: topic, removed: true });
    const root = await rows(test).findOneByOrFail(Message, { id: topic });
    expect(root).to.include({
      ...{ replyCount: 1, lastReplyId: namer, lastActivityId: namer },
    });
  });

  it('is back on every read path once reinstated', async () => {
    await decideTo.reinstate(test, topic);
    await decideTo.reinstate(test, reply);
    const texts = await readAll();
    const all = [...texts.values()].join('\n');
    for (const word of WORDS) expect(all).to.include(word);
    for (const word of WORDS.slice(0, 3)) {
      const path = `/api/search?q=${word}&visibility=all as */*`;
      const { count } = JSON.parse(texts.get(path) ?? '{}');
      expect(count, path).to.be.at.least(1);
    }
    const { body } = await test.as().get(`/api/thread/${topic}`);
    expect(body.title).to.equal('About the quokka');
    expect(body.poll).to.include({
      question: 'Is it a numbat?',
      state: 'closed',
      close_reason: 'topic_removed',
    });
    const message = await test.as().get(`/api/messages/${namer}`);
    const named = message.body.references.map(({ id }: { id: number }) => id);
    expect(named).to.deep.equal([topic, reply]);
    expect(await rows(test).count(SealedContent)).to.equal(0);
  });

  it('leaves stats, rooms and lists as if it had never been gone', async () => {
    const threads = await test.as().get('/api/threads');
    expect(threads.body.data[0]).to.include({
      id: topic,
      reply_count: 2,
      last_reply_id: namer,
    });
    const stats = await test.as().get('/api/stats');
    expect(stats.body.all_time).to.include({ topics: 1, replies: 2 });
    expect(stats.body.all_time.ratings).to.deep.equal({ up: 2, down: 0 });
    expect(stats.body.all_time.ballots).to.equal(1);
  });

  it('is gone for good once erased, and so says every read', async () => {
    await decideTo.remove(test, reply);
    await decideTo.erase(test, reply, { reason: 'legal' });
    await decideTo.erase(test, topic, { reason: 'privacy' });
    expect(await rows(test).count(SealedContent)).to.equal(0);
    const all = [...(await readAll()).values()].join('\n');
    for (const word of WORDS) {
      expect(all.replaceAll(`q=${word}`, '')).not.to.include(word);
    }
  });

  it('answers an exact retry of its ticket with its receipt', async () => {
    const previewed = await preview(test, { reply_to: namer, body: 'Soon.' });
    const send = () => submit(test, filled(previewed));
    const first = await send().expect(201);
    await decideTo.remove(test, first.body.message.id);
    const again = await send().expect(200);
    expect(again.body).to.deep.equal({
      ...first.body,
      status: 'already_published',
    });
  });
});
