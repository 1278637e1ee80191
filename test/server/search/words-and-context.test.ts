import { likenessOf } from '../../../server/search/index.js';
import { publishSigned, register } from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { rate } from '../votes/rating.js';

describe('search for several words, and lists with the title of a topic', () => {
  const test = givenBoard({ lifted: true });
  let topic: number;
  let reply: number;
  let agentId: string;

  before(async () => {
    const opened = await publish(test, {
      title: 'Ferries of Ängelholm',
      body: 'The quartz clock runs backwards.',
    });
    topic = opened.message.id;
    const agent = await register(test);
    agentId = agent.id;
    const answered = await publishSigned(test, agent, {
      reply_to: topic,
      body: 'Backwards, and the CLOCK of quartz stops.',
    });
    reply = answered.message.id;
    await rate(test, reply, 1);
  });

  const search = async (query: string) =>
    (await test.as().get(`/api/search?${query}`).expect(200)).body;
  const ids = (body: { data: { id: number }[] }) =>
    body.data.map(({ id }) => id);

  it('is literal by default, and says what finds words in any order', async () => {
    expect(ids(await search('q=quartz+clock'))).to.deep.equal([topic]);
    const nothing = await search('q=clock+backwards');
    expect(nothing.data).to.deep.equal([]);
    const { pathname, search: query } = new URL(
      /https?:\S+/.exec(nothing.note)?.[0] ?? '',
    );
    const found = await test.as().get(`${pathname}${query}`).expect(200);
    expect(ids(found.body)).to.deep.equal([reply, topic]);
    expect(found.body).not.to.have.property('note');
    expect(await search('q=nowhere')).not.to.have.property('note');
  });

  it('finds words in body and title together, folded, and no others', async () => {
    expect(ids(await search('match=all&q=%C3%84NGELHOLM+quartz'))).to.eql([
      topic,
    ]);
    expect(ids(await search('match=all&q=+quartz++stops+'))).to.eql([reply]);
    expect(ids(await search('match=all&q=quartz+nothing'))).to.eql([]);
    const wrong = await test.as().get('/api/search?q=quartz&match=some');
    expect(wrong.body).to.include({ error: 'invalid_input', field: 'match' });
  });

  it('finds one of the words, words in quotes, and who, when and how good', async () => {
    const before = await publish(test, { title: 'Ähnlich', name: ' QUILL ' });
    const [, , last = 0] = [topic, reply, before.message.id];
    test.clock.advance(60_000);
    const noon = new Date(test.clock.now()).toISOString();
    const zone = noon.replace('Z', '+00:00');
    const plain = noon.replace('Z', '');
    const later = await publish(test, {
      body: 'A late jitter.',
      name: 'quill',
    });
    const { id } = later.message;
    for (const [query, found] of [
      ['match=any&q=jitter+clock', [id, reply, topic]],
      ['match=any&q=runs', [topic]],
      ['match=any&q=jitter+"clock+of"', [id, reply]],
      ['match=all&q="clock+of"+stops', [reply]],
      ['match=all&q="clock+stops"', []],
      ['q="clock+of"', []],
      ['q=a+&author=Quill', [id, last]],
      ['q=ÄHN&author=quill', [last]],
      ['q=the&author=ANONYMOUS-AGENT', [reply, topic]],
      ['q=quartz&author=nobody', []],
      [`q=quartz&agent_id=${agentId}`, [reply]],
      [`match=any&q=jitter+clock&after=${noon}`, [id]],
      [`match=any&q=jitter+clock&after=${zone}`, [id]],
      [`match=any&q=jitter+clock&until=${plain}`, [reply, topic]],
      ['q=clock&until=2001-01-01', []],
      ['q=clock&after=2901-01-01T00:00', []],
      ['match=any&q=jitter+clock&sort=score', [reply, id, topic]],
      ['match=any&q=jitter+clock&sort=score&limit=1', [reply]],
    ] as const) {
      expect(ids(await search(encodeURI(query))), query).to.deep.equal(found);
    }
    const asText = await test
      .as()
      .get('/api/search?q=clock&format=text&limit=1&author=anonymous-agent')
      .expect(200);
    const [, next = ''] = /"next":"([^"]+)"/.exec(asText.text) ?? [];
    expect(Object.fromEntries(new URL(next).searchParams)).to.include({
      format: 'text',
      author: 'anonymous-agent',
    });
    const best = await search('q=clock&sort=score&limit=1');
    expect(best).to.include({ next: null, has_more: false });
    expect(best.note).to.match(/newest 500 matches/);
  });

  it('carries all of it to the next page, and names what cannot be used', async () => {
    const time = '2001-02-03T04:05:06.000Z';
    const { next } = await search(
      `match=any&q=jitter+clock&limit=1&author=quill&after=${time}&agent_id=x&until=yesterday&sort=best`,
    );
    expect(next).to.equal(null);
    const { next: more, ...said } = await search(
      `match=any&q=the+clock&limit=1&after=${time}&agent_id=x&until=yesterday&sort=best`,
    );
    expect(said.ignored_parameters).to.deep.equal([
      'agent_id',
      'until',
      'sort',
    ]);
    expect(new URL(more).searchParams.get('after')).to.equal(time);
  });

  it('proposes only a search that finds something', async () => {
    for (const [query, match] of [
      ['q=clock+backwards', 'all'],
      ['q=clock+nothing', 'any'],
      ['q=nothing+nowhere', null],
      ['match=all&q=clock+nothing', 'any'],
      ['match=any&q=nothing+nowhere', null],
      ['q=clock+backwards&author=nobody', null],
      ['q="clock+of"', 'all'],
    ] as const) {
      const { note } = await search(query);
      const [address] = /https?:\S+/.exec(note ?? '') ?? [];
      if (match === null) {
        expect(address, query).to.equal(undefined);
        continue;
      }
      const { searchParams, search: better } = new URL(address ?? '');
      expect(searchParams.get('match'), query).to.equal(match);
      expect((await search(better.slice(1))).count).to.be.greaterThan(0);
      const page = await test.as().get(`/search?${query}&format=text`);
      expect(page.text).to.include(`match=${match}`);
    }
  });

  it('keeps the words in the address of the next page', async () => {
    const first = await search('match=all&q=clock+backwards&limit=1');
    expect(ids(first)).to.deep.equal([reply]);
    const { pathname, search: query } = new URL(first.next);
    const second = await test.as().get(`${pathname}${query}`);
    expect(ids(second.body)).to.deep.equal([topic]);
  });

  const titles = async () => {
    const listed = {
      search: await search('match=all&q=quartz+stops'),
      top: (await test.as().get('/api/top')).body,
      profile: (await test.as().get(`/api/profiles/${agentId}`)).body,
      moderation: (await test.as().get('/api/moderation')).body,
    };
    return Object.fromEntries(
      Object.entries(listed).map(([name, { data }]) => [
        name,
        data.map((one: { root_title: string | null }) => one.root_title),
      ]),
    );
  };

  it('show the title of the topic, null once that is removed', async () => {
    const title = 'Ferries of Ängelholm';
    const [search, top, profile] = [[title], [title], [title]];
    const before = { search, top, profile, moderation: [] };
    expect(await titles()).to.deep.equal(before);
    await decideTo.remove(test, topic);
    const after = await titles();
    expect(after.search).to.deep.equal([null]);
    expect(after.profile).to.deep.equal([null]);
    expect(after.moderation).to.deep.equal([null]);
    const { data } = (await test.as().get('/api/moderation')).body;
    expect(data[0]).to.include({ room: 'lobby', agent_id: null });
    expect(data[0].created_at).to.be.a('string');
    expect(data[0]).not.to.have.any.keys('title', 'author');
  });
});

const keyOf = (body: string) => likenessOf(body).textKey.toString('hex');

describe('What makes texts alike', () => {
  it('is neither case nor white space', () => {
    const key = keyOf('Buy now,  at a STRASSE');
    for (const same of [
      ' buy NOW,\n\tat\u00a0a straße ',
      'BUY NOW, AT A STRASSE\r\n',
    ]) {
      expect(keyOf(same), same).to.equal(key);
    }
    for (const other of ['Buy now at a strasse', 'Buy now, at a street']) {
      expect(keyOf(other), other).not.to.equal(key);
    }
  });

  it('is the host of each link, once and in one spelling', () => {
    const hosts = (body: string) => likenessOf(body).linkHosts;
    expect(hosts('no link, www.example.com')).to.equal(null);
    expect(
      hosts(
        'HTTP://Shop.Example/a https://shop.example:8443/b https://bücher.example',
      ),
    ).to.deep.equal(['shop.example', 'xn--bcher-kva.example']);
    const many = Array.from({ length: 30 }, (_, n) => `https://h${n}.example`);
    expect(hosts(many.join(' '))).to.have.length(20);
  });
});
