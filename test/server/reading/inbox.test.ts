import { Stream } from '../../../server/db/entities/counter.js';
import { InboxEntry } from '../../../server/db/entities/inbox-entry.js';
import { LogState } from '../../../server/db/entities/log.js';
import { Message } from '../../../server/db/entities/message.js';
import { fillInboxes, readIndexed } from '../../../server/reading/index.js';
import { newMessages } from '../../../server/reading/updates-page.sql.js';
import {
  type Agent,
  advance,
  LIFTED_KEYS,
  publishSigned,
  record,
  register,
} from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { randomBytes, randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import {
  get,
  givenReadable,
  ids,
  reply,
  setVisibility,
  statementsOf,
  topic,
} from './fixture.js';

type Answer = { id: number; by: 'reply' | 'reference' };
type Item = { id: number; answers: Answer[]; removed?: true };

const by = (kind: Answer['by'], id: number): Answer => ({ id, by: kind });

describe('an inbox', () => {
  const limits = { ...LIFTED, ...LIFTED_KEYS };
  const test = givenBoard({ limits, env: { ROLES: 'api' } });
  let agent: Agent;
  /** Of the agent; a topic, and a reply in another's topic. */
  let mine: number;
  let other: number;
  let said: number;

  beforeEach(async () => {
    agent = await register(test);
    mine = await signed({ title: `A question ${randomUUID()}` });
    other = await topic(test);
    said = await signed({ reply_to: other });
  });

  async function signed(post: object, who = agent): Promise<number> {
    const receipt = await publishSigned(test, who, {
      body: 'Signed.',
      ...post,
    });
    return receipt.message.id;
  }

  const inbox = async (query: string) =>
    (await get(test, `/api/inbox${query}`).expect(200)).body;
  const ofKey = (query = '') => inbox(`/${agent.id}${query}`);
  const found = ({ data }: { data: Item[] }) =>
    data.map(({ id, answers }) => [id, answers]);

  it('has what others replied or named, once each, ascending', async () => {
    const first = await reply(test, mine, 'I reply.');
    const named = await reply(test, other, `See #${mine}, #${said}, #${mine}.`);
    const both = await reply(test, said, `#${said} is right, as is #${mine}.`);
    await signed({ reply_to: mine, body: 'I answer myself.' });
    await reply(test, first, 'An answer to the answer.');
    await reply(test, other, `Nobody: ${mine} &#${mine}; a#${mine} #99999999.`);
    const expected = [
      [first, [by('reply', mine)]],
      [named, [by('reference', mine), by('reference', said)]],
      [both, [by('reply', said), by('reference', mine)]],
    ];
    const body = await ofKey();
    expect(found(body)).to.deep.equal(expected);
    expect(body).to.include({ count: 3, cursor: both, has_more: false });
    expect(body).to.deep.include({ decisions: [] });
    expect(body).not.to.have.any.keys('unknown', 'complete');
    const one = await ofKey(`?limit=1&since=${first}`);
    expect(found(one)).to.deep.equal([expected[1]]);
    expect(one).not.to.have.property('decisions');
    const next = new URL(one.next);
    expect(found((await get(test, next.pathname + next.search)).body))
      .to //
      .deep.equal([expected[2]]);
    expect(next.searchParams.get('preview')).to.equal('160');
  });

  it('is asked for by IDs or by request IDs, without a key', async () => {
    const request_id = randomUUID();
    const guest = (await publish(test, { request_id, title: 'Of a guest' }))
      .message.id;
    const first = await reply(test, guest, `Also #${mine}`);
    const receipt = await get(test, `/api/requests/${request_id}`);
    for (const { replies_url } of [receipt.body, receipt.body.receipt]) {
      expect(ids(await get(test, replies_url))).to.deep.equal([first]);
    }
    const profile = await get(test, `/api/profiles/${agent.id}`);
    const message = await get(test, `/api/messages/${mine}?full=1`);
    const { request_id: uuid } = message.body;
    const looked = await get(test, `/api/requests/${uuid}`);
    expect(looked.body.inbox_url).to.equal(profile.body.replies_url);
    const { body } = await get(test, looked.body.inbox_url);
    expect(found(body)).to.deep.equal([[first, [by('reference', mine)]]]);
    const second = await reply(test, first, `To #${guest}.`);
    await signed({ reply_to: mine, body: 'Its own key counts here.' });
    const entry = [first, [by('reply', guest)]];
    const last = [second, [by('reference', guest)]];
    const one = await inbox(`?ids=${guest},999999999999999,0,${guest}`);
    expect(found(one)).to.deep.equal([entry, last]);
    expect(one.unknown).to.deep.equal([999_999_999_999_999, 0]);
    // None that is in the list.
    const two = await inbox(`?ids=${guest},${first}`);
    expect(found(two)).to.deep.equal([
      [second, [by('reply', first), by('reference', guest)]],
    ]);
    expect((await inbox(`?ids=${mine}`)).count).to.equal(2);
    const absent = randomUUID();
    const uuids = `${request_id.toUpperCase()},${absent}`;
    const three = await inbox(`?request_ids=${uuids}`);
    expect(found(three)).to.deep.equal([entry, last]);
    expect(three.unknown).to.deep.equal([absent]);
  });

  it('takes exactly one selector', async () => {
    const uuid = randomUUID();
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => n + 1).join();
    const uuids = Array.from({ length: 21 }, () => randomUUID()).join();
    for (const [path, field] of [
      ['', 'ids'],
      [`?ids=1&request_ids=${uuid}`, 'ids'],
      [`/${agent.id}?ids=1`, 'ids'],
      [`/${agent.id}?request_ids=${uuid}`, 'request_ids'],
      [`?ids=${many(51)}`, 'ids'],
      [`?request_ids=${uuids}`, 'request_ids'],
      ['?ids=', 'ids'],
      ['?ids=1,', 'ids'],
      ['?ids=1&ids=2', 'ids'],
      ['?ids=1000000000000000', 'ids'],
      ['?ids=01', 'ids'],
      ['?ids=1,%202', 'ids'],
      ['?request_ids=12', 'request_ids'],
      ['?ids=1&limit=0', 'limit'],
      ['?ids=1&wait=26', 'wait'],
      ['?ids=1&since=1790000000', 'since'],
      ['?ids=1&decided_since=x', 'decided_since'],
    ] as const) {
      const { body, status } = await get(test, `/api/inbox${path}`);
      expect(status, path).to.equal(400);
      expect(body, path).to.include({ error: 'invalid_input', field });
    }
    await get(test, `/api/inbox?ids=${many(50)}&limit=1`).expect(200);
    await get(test, `/api/inbox?ids=${many(50)},1&since=99`).expect(200);
    for (const unknown of [`a1${'2'.repeat(32)}`, 'ids']) {
      const { body } = await get(test, `/api/inbox/${unknown}`).expect(404);
      expect(body.error).to.equal('profile_not_found');
    }
  });

  it('keeps removed replies as tombstones; their texts name nobody', async () => {
    const answer = await reply(test, mine, `And #${said}.`);
    const named = await reply(test, other, `See #${said}.`);
    await decideTo.remove(test, answer);
    await decideTo.remove(test, named);
    const body = await ofKey();
    expect(found(body)).to.deep.equal([[answer, [by('reply', mine)]]]);
    expect(body.data[0]).to.include({ removed: true, id: answer });
    expect(body.data[0]).not.to.have.property('body');
    expect((await inbox(`?ids=${said}`)).data).to.deep.equal([]);
    const referring = { messageId: named, byReply: false };
    expect(await rows(test).countBy(InboxEntry, referring)).to.equal(0);
    await decideTo.reinstate(test, named);
    await decideTo.reinstate(test, answer);
    expect((await ofKey()).count).to.equal(2);
    await decideTo.erase(test, named);
    expect((await ofKey()).count).to.equal(1);
  });

  it('names removed messages and shows decisions about those asked for', async () => {
    const answer = await reply(test, said);
    await decideTo.remove(test, said);
    const { id } = await decideTo.reinstate(test, said);
    await decideTo.remove(test, answer);
    await decideTo.remove(test, said);
    const body = await inbox(`?ids=${said},${mine}`);
    expect(body.data).to.deep.equal([]);
    expect(body.unknown).to.deep.equal([said]);
    const actions = (page: { decisions: { action: string }[] }) =>
      page.decisions.map(({ action }) => action);
    const all = ['remove', 'reinstate', 'remove'];
    expect(actions(body)).to.deep.equal(all);
    expect(body.decisions[0]).to.include({ message_id: said });
    expect(actions(await ofKey())).to.deep.equal(all);
    const later = await ofKey(`?since=${said}&decided_since=${id}`);
    expect(actions(later)).to.deep.equal(['remove']);
    expect(await ofKey(`?since=${said}`)).not.to.have.property('decisions');
  });

  it('stays with a key that was rotated', async () => {
    const answer = await reply(test, mine);
    await record(test, advance(agent, 'rotate'));
    const after = await signed({ reply_to: other });
    const second = await reply(test, after);
    await signed({ reply_to: mine });
    expect(ids({ body: await ofKey() })).to.deep.equal([answer, second]);
  });

  it('leaves hidden topics out unless they are asked for', async () => {
    const answer = await reply(test, said, 'In a topic of another.');
    const own = await reply(test, mine);
    await setVisibility(test, other, 'hidden_by_decision');
    for (const [visibility, expected] of [
      ['', [own]],
      ['?visibility=hidden', [answer]],
      ['?visibility=all', [answer, own]],
    ] as const) {
      expect(ids({ body: await ofKey(visibility) })).to.deep.equal(expected);
    }
    for (const [visibility, expected] of [
      ['hidden', [answer]],
      ['all', [answer, own]],
    ] as const) {
      const page = await inbox(`?ids=${said},${mine}&visibility=${visibility}`);
      expect(ids({ body: page })).to.deep.equal(expected);
    }
  });

  it('shows 160 code points, or all, with as much as is asked for', async () => {
    await reply(test, mine, 'x'.repeat(500));
    const [cut] = (await ofKey()).data;
    expect(cut).to.include({ truncated: true, body: 'x'.repeat(160) });
    const [whole] = (await ofKey('?preview=0&full=1')).data;
    expect(whole).to.include({ truncated: false });
    expect(whole).to.have.property('request_id');
  });

  it('is filled in batches for messages of an older release', async () => {
    const answer = await reply(test, mine, `Of #${said}.`);
    const named = await reply(test, other, `See #${said} and #${mine}.`);
    const removed = await reply(test, other, `Gone: #${said}.`);
    await decideTo.remove(test, removed);
    const order = { targetId: 'ASC', messageId: 'ASC' } as const;
    const before = await rows(test).find(InboxEntry, { order });
    await rows(test).clear(InboxEntry);
    const fill = { name: 'inbox_fill', lastId: 0, lastAt: 0 };
    await rows(test).insert(Stream, fill);
    expect(await ofKey()).to.include({ complete: false, count: 0 });
    const { writes } = test.board.context;
    const filled = await fillInboxes(writes, () => true);
    expect(filled).to.equal(removed);
    expect(await rows(test).find(InboxEntry, { order })).to.deep.equal(before);
    const body = await ofKey();
    expect(ids({ body })).to.deep.equal([answer, named]);
    expect(body).not.to.have.property('complete');
    expect(await fillInboxes(writes, () => true)).to.equal(0);
  });

  /** As a process of the older release leaves it: it knows no inboxes. */
  async function late(id: number): Promise<number> {
    await rows(test).update(Message, { id }, { unindexed: () => 'DEFAULT' });
    await rows(test).delete(InboxEntry, { messageId: id });
    return id;
  }

  it('has what a process of an older release writes after an upgrade, for every cursor', async () => {
    const { context } = test.board;
    expect(await fillInboxes(context.writes, () => true)).to.equal(0);
    const first = await late(await reply(test, mine, 'Of the older one.'));
    const second = await reply(test, mine, 'Of this one.');
    expect(ids({ body: await ofKey('?limit=1') })).to.deep.equal([first]);
    const seen = await late(await reply(test, other, `See #${said}.`));
    const { messages } = await readIndexed(context, (sql) =>
      newMessages(sql, second, 9, 9),
    );
    const target = { id: said, by: 'reference', agent: agent.id };
    expect(messages[0]?.targets).to.deep.include(target);
    const last = await late(await reply(test, said));
    const byIds = await inbox(`?ids=${said}`);
    expect(ids({ body: byIds })).to.deep.equal([seen, last]);
    await late(first);
    await fillInboxes(context.writes, () => true);
    const waits = await rows(test).countBy(Message, { unindexed: true });
    expect(waits).to.equal(0);
    expect(ids({ body: await ofKey() })).to.deep.equal([
      ...[first, second, seen, last],
    ]);
  });

  it('waits for an answer and for nothing else, without a statement', async () => {
    const since = said;
    const held = (count: number) =>
      until('held', async () => (await test.waits('places')) === count);
    const waiting = [
      `/${agent.id}?since=${since}&wait=25&preview=8`,
      `?ids=${mine}&since=${since}&wait=25`,
      `?ids=${mine},${since + 1}&since=${since}&wait=25`,
      `?ids=${other}&since=${since}&wait=25`,
    ].map((query) => inbox(query));
    await held(waiting.length);
    let answer = 0;
    const texts = await statementsOf(test, async () => {
      const first = await reply(test, said, 'To the agent.');
      answer = await reply(test, first, `To #${mine}.`);
      await reply(test, other);
      const [ofKey, ofId, listed, ofOther] = await Promise.all(waiting);
      expect(found(ofKey)).to.deep.equal([[first, [by('reply', said)]]]);
      expect(ofKey.data[0]).to.include({ body: 'To the a', truncated: true });
      expect(ofKey.data[0].root_title).to.be.a('string');
      const expected = [[answer, [by('reference', mine)]]];
      expect(found(ofId)).to.deep.equal(expected);
      expect(found(ofOther)).to.deep.equal([
        [answer + 1, [by('reply', other)]],
      ]);
      expect(listed).to.deep.include({ unknown: [since + 1] });
      expect(found(listed)).to.deep.equal(expected);
    });
    // Only those that all readers who wait share.
    const looks = texts.filter((text) => text.includes('log_state head'));
    expect(looks).not.to.deep.equal([]);
    for (const look of looks) expect(look).to.include('AS is_hidden');
  });

  it('ends no wait by a decision', async () => {
    const waiting = ofKey(`?since=${said}&wait=1&decided_since=0`);
    await until('held', async () => (await test.waits('places')) === 1);
    await decideTo.remove(test, said);
    expect(await waiting).to.include({ count: 0, cursor: said });
  });

  it('comes as an event stream, which goes on behind Last-Event-ID', async () => {
    const first = await reply(test, said);
    const second = await reply(test, mine);
    const response = await fetch(`${test.url}/api/inbox/${agent.id}?since=0`, {
      headers: { Accept: 'text/event-stream', 'Last-Event-ID': `${first}` },
    });
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      if (text.includes(`id: ${second}`)) break;
    }
    expect(text).not.to.include(`id: ${first}\n`);
    expect(text).to.match(/"root_title":"A question [^"]+","answers":\[/);
  });
});

describe('a second visit', () => {
  const test = givenReadable({ limits: LIFTED_KEYS });

  it('finds two answers among 1,000 new messages in one request, 2 kB as text, 3 kB as JSON', async () => {
    const agent = await register(test);
    const post = { title: 'A question', body: 'Signed.' };
    const mine = (await publishSigned(test, agent, post)).message.id;
    const body = 'One word more. '.repeat(250);
    const since = await reply(test, await topic(test), body);
    const answers = [since + 300, since + 900];
    const to = { rootId: mine, replyTo: mine };
    const model = await rows(test).findOneByOrFail(Message, { id: since });
    const copies = [...Array(1000).keys()].map((n) => ({
      ...model,
      id: since + 1 + n,
      requestId: randomUUID(),
      messageHash: randomBytes(32),
      unindexed: true,
      ...(answers.includes(since + 1 + n) ? to : {}),
    }));
    await rows(test).insert(Message, copies);
    const end = { lastMessageId: since + 1000 };
    await rows(test).update(LogState, { originId: 0 }, end);
    for (const [form, most, line] of [
      ['text', 2000, (id: number) => new RegExp(`^#${id} `, 'm')],
      ['json', 3000, (id: number) => new RegExp(`"id":${id},`)],
    ] as const) {
      const path = `/api/inbox/${agent.id}?since=${since}&format=${form}`;
      const { text } = await get(test, path).expect(200);
      expect(Buffer.byteLength(text), form).to.be.at.most(most);
      expect(text).to.include('"root_title":"A question"');
      for (const id of answers) expect(text).to.match(line(id));
    }
  });
});
