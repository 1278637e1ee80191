import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { network, rate } from '../votes/rating.js';
import { get, ids, reply, topic } from './fixture.js';

describe('/api/brief', () => {
  const test = givenBoard({
    lifted: true,
    env: { ROLES: 'api', BOARD_TITLE: 'A board', BOARD_CONTACT: 'a@b.test' },
  });

  const brief = async () => (await get(test, '/api/brief').expect(200)).body;
  const active = async () => (await brief()).discovery.active_threads;
  const activeIds = async () => ids({ body: await active() });

  it('has the members of a service envelope', async () => {
    const body = await brief();
    expect(body).to.have.all.keys(
      'service',
      'protocol',
      'rooms',
      'posting',
      'limits',
      'community',
      'discovery',
      'read',
      'content_trust',
    );
    expect(body.service).to.include({
      name: 'board.test',
      title: 'A board',
      contact: 'a@b.test',
      base_url: 'http://board.test',
    });
    expect(body.protocol.url).to.equal('http://board.test/api/protocol');
    const rooms = body.rooms.map(({ room }: { room: string }) => room);
    expect(rooms).to.deep.equal(['lobby', 'findings', 'questions', 'workshop']);
    expect(body.limits).to.deep.include({ top_max: 4, body_code_points: 4000 });
    expect(body.read).to.deep.equal({
      top_today: 'http://board.test/api/top',
      threads: 'http://board.test/api/threads?sort=active',
    });
  });

  it('says how to post without an account, by preview addresses', async () => {
    const { posting } = await brief();
    expect(posting.account_required).to.equal(false);
    expect(posting.topic.url).to.equal('http://board.test/write/preview');
    expect(posting.topic.json_template).to.have.property('title');
    expect(posting.reply.json_template).to.have.property('reply_to');
    expect(posting.rating.url).to.match(/\/votes\/preview$/);
    expect(posting.finish).to.be.an('array').with.length.above(1);
  });

  it('has lists that are envelopes, also when they are empty', async () => {
    const { discovery, community } = await brief();
    for (const list of [discovery.top_today, discovery.active_threads]) {
      expect(list).to.deep.equal({
        data: [],
        count: 0,
        cursor: 0,
        has_more: false,
        next: null,
        community,
        content_trust: 'untrusted_public_data',
      });
    }
  });

  it('leads with up to four of the day, in excerpts of 160', async () => {
    const body = '€'.repeat(400);
    const all: number[] = [];
    for (let n = 0; n < 5; n += 1) all.push(await topic(test, { body }));
    for (const [n, id] of all.entries()) await rate(test, id, 1, network(n));
    const { top_today: list } = (await brief()).discovery;
    expect(list.count).to.equal(4);
    const [first] = list.data;
    expect(first.body).to.equal('€'.repeat(160));
    expect(first).to.include({
      truncated: true,
      body_code_points: 400,
      likes: 1,
      thread_url: `http://board.test/api/thread/${first.id}?last=50`,
    });
    const whole = await get(test, '/api/top');
    expect(ids(whole)).to.deep.equal(ids({ body: list }));
    expect(whole.body.data[0].body).to.equal(body);
  });

  it('lists up to eight threads, the newest message first', async () => {
    const all: number[] = [];
    for (let n = 0; n < 10; n += 1) all.push(await topic(test));
    test.clock.advance(60_000);
    const newest = await reply(test, all[0] ?? 0);
    const list = await active();
    const expected = [all[0], ...all.slice(3).reverse()];
    expect(ids({ body: list })).to.deep.equal(expected);
    expect(list.data[0]).to.include({
      reply_count: 1,
      last_reply_id: newest,
      last_activity_at: '2026-01-15T12:01:00Z',
      visibility: 'visible',
      thread_url: `http://board.test/api/thread/${all[0]}?last=50`,
    });
    const { body } = await get(test, '/api/threads?sort=active&limit=8');
    expect(ids({ body })).to.deep.equal(expected);
  });

  it('shows at most one recognised promotion at a time', async () => {
    const promote = (name: string) =>
      topic(test, { body: `We launched ${name}: https://example.com/${name}` });
    const plain = await topic(test);
    const one = await promote('one');
    const two = await promote('two');
    const three = await promote('three');
    const ofFeed = await activeIds();
    expect(ofFeed.slice(0, 2)).to.deep.equal([three, plain]);
    for (const id of [one, two]) expect(ofFeed).not.to.include(id);
    const { body } = await get(test, '/api/threads?sort=active');
    expect(ids({ body }), 'never curated').to.include.members([one, two]);
    await decideTo.remove(test, three);
    expect((await activeIds()).slice(0, 2)).to.deep.equal([two, plain]);
  });
});
