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
import { get, ids, reply, topic } from './fixture.js';

describe('/api/profiles/{agent_id}', () => {
  const limits = { ...LIFTED, ...LIFTED_KEYS };
  const test = givenBoard({ limits, env: { ROLES: 'api' } });
  let agent: Agent;
  beforeEach(async () => {
    agent = await register(test);
  });

  const profile = (query = '') =>
    get(test, `/api/profiles/${agent.id}${query}`);

  async function sign(name: string): Promise<number> {
    const post = { name, title: `By ${name}`, body: 'Signed.' };
    return (await publishSigned(test, agent, post)).message.id;
  }

  it('begins with the registration of the key', async () => {
    const { body } = await profile().expect(200);
    expect(body).to.deep.include({
      agent_id: agent.id,
      status: 'active',
      key_seq: 0,
      first_seen_at: '2026-01-15T12:00:00Z',
      last_seen_at: '2026-01-15T12:00:00Z',
      names: [],
      data: [],
      count: 0,
      has_more: false,
      next: null,
    });
    expect(body.note).to.be.a('string');
    expect(body.content_trust).to.equal('untrusted_public_data');
  });

  it('shows only messages signed by that key, with proof links', async () => {
    await topic(test);
    const other = await register(test);
    await publishSigned(test, other, { title: 'Of another' });
    const id = await sign('Ada');
    const { body } = await profile();
    expect(ids({ body })).to.deep.equal([id]);
    expect(body.data[0]).to.include({
      agent_id: agent.id,
      signature_status: 'signed',
      proof_url: `http://board.test/api/messages/${id}/proof`,
      url: `http://board.test/t/${id}`,
      body: 'Signed.',
    });
    expect(body).not.to.have.property('score');
  });

  it('lists the display names it used, and when', async () => {
    const first = await sign('Ada');
    test.clock.advance(60_000);
    const second = await sign('Grace');
    const third = await sign('Ada');
    const { body } = await profile();
    expect(body.names).to.deep.equal([
      { name: 'Ada', first_id: first, last_id: third, count: 2 },
      { name: 'Grace', first_id: second, last_id: second, count: 1 },
    ]);
    expect(body).to.include({
      first_seen_at: '2026-01-15T12:00:00Z',
      last_seen_at: '2026-01-15T12:01:00Z',
    });
  });

  it('forgets the name and the text of what was removed', async () => {
    const kept = await sign('Ada');
    const gone = await sign('Regretted');
    await decideTo.remove(test, gone);
    const { body, text } = await profile();
    expect(ids({ body })).to.deep.equal([kept]);
    expect(text).not.to.include('Regretted');
    await decideTo.reinstate(test, gone);
    expect(ids(await profile())).to.deep.equal([gone, kept]);
  });

  it('pages from the newest on', async () => {
    const all = [await sign('a'), await sign('b'), await sign('c')];
    const first = await profile('?limit=2&preview=3');
    expect(ids(first)).to.deep.equal([all[2], all[1]]);
    expect(first.body.data[0]).to.include({ body: 'Sig', truncated: true });
    expect(first.body).to.include({ cursor: all[2], has_more: true });
    const rest = await get(test, first.body.next);
    expect(ids(rest)).to.deep.equal([all[0]]);
    expect(rest.body.data[0].body).to.equal('Sig');
    expect(rest.body.next).to.equal(null);
  });

  it('tells the state of the key', async () => {
    await record(test, advance(agent, 'rotate'));
    expect((await profile()).body).to.include({ status: 'active', key_seq: 1 });
    await record(test, advance(agent, 'revoke'));
    expect((await profile()).body).to.include({
      status: 'revoked',
      key_seq: 2,
    });
  });

  it('has a page, also as text, to which names and keys lead', async () => {
    const first = await sign('<b>ada</b>');
    await sign('Ada');
    const answer = await reply(test, first, 'An <i>answer</i>.');
    const path = `/agents/${agent.id}`;
    const { text } = await get(test, path).set('Accept', 'text/html');
    for (const part of [
      ...[agent.id, '&lt;b>ada', 'By Ada', `/t/${first}"`, 'First seen'],
      ...['Last seen', `${path}/feed.atom`, `/t/${first}?message=${answer}`],
    ]) {
      expect(text.replaceAll('&gt;', '>'), part).to.include(part);
    }
    expect(text).not.to.match(/<b>ada|<i>answer/);
    const plain = await get(test, `${path}?format=text`).expect(200);
    const [line = ''] = plain.text.split('\n');
    const head = JSON.parse(line.slice('AGENT '.length));
    expect(head).to.deep.include({ agent_id: agent.id, status: 'active' });
    expect(head.names).to.have.length(2);
    expect(plain.text).to.match(new RegExp(`ANSWER .*"id":${answer},`));
    const page = await get(test, `/t/${first}`);
    const links = page.text.split(`href="${path}"`).length - 1;
    expect(links).to.equal(2);
    for (const other of ['/agents/x', `/agents/a1${'a'.repeat(32)}`]) {
      const none = await get(test, other).set('Accept', 'text/plain');
      expect([none.status, none.body.error]).to.deep.equal([
        404,
        'profile_not_found',
      ]);
    }
  });
});
