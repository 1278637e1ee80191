import { type Agent, publishSigned, register } from '../../support/agent.js';
import { type Description, descriptionOf } from '../../support/conforms.js';
import { publish } from '../../support/post.js';
import { A, givenMirror } from './support/linked.js';

const BOARD = `/api/mesh/boards/${A}`;
const HERE = 'http://board-b.example';

describe('reading mirrored boards', () => {
  let agent: Agent;
  let description: Description;
  const scene = givenMirror({}, async ({ a, b }) => {
    await publish(b, { title: 'Ours', body: 'A local text, needle.' });
    agent = await register(a);
    await publishSigned(a, agent, { title: 'First', body: 'See #2, needle.' });
    await publishSigned(a, agent, { body: 'After #1 and #99.', reply_to: 1 });
    await publish(a, { body: 'A guest speaks, needle.', reply_to: 1 });
    await publishSigned(a, agent, {
      title: 'Second',
      body: 'Straße №1',
      room: 'findings',
    });
    const document = await b.as().get('/openapi.json');
    description = descriptionOf(document.text);
  });

  const get = async (path: string, status = 200) => {
    const answer = await scene.b.as().get(path);
    expect(answer.status, `${path}: ${answer.text}`).to.equal(status);
    const { headers, text } = answer;
    const met = { method: 'GET', path, status, headers, text };
    expect(description.problems(met), path).to.deep.equal([]);
    return answer.body;
  };

  it('lists the boards with their counts', async () => {
    const list = await get('/api/mesh/boards');
    expect(list.data).to.deep.equal([
      {
        name: A,
        origin: `${A}/log`,
        base_url: `http://${A}`,
        trust: 'mirror',
        status: 'active',
        mirrored_size: 6,
        messages: 4,
        threads_url: `${HERE}${BOARD}/threads`,
      },
    ]);
    expect(list.count).to.equal(1);
    expect(list.community.rules_url).to.equal(`${HERE}/rules.md`);
  });

  it("is the origin's message without a score, with its origin", async () => {
    const {
      score: _,
      community: __,
      ...own
    } = (await scene.a.as().get('/api/messages/1?full=1')).body;
    const { community: ___, ...shown } = await get(
      `${BOARD}/messages/1?full=1`,
    );
    expect(shown).to.deep.equal({
      ...own,
      references: [
        {
          id: 2,
          url: `http://${A}/t/1?message=2#m2`,
          read_url: `${HERE}${BOARD}/messages/2`,
        },
      ],
      read_url: `${HERE}${BOARD}/messages/1`,
      url: `http://${A}/t/1`,
      origin: {
        board: A,
        origin: `${A}/log`,
        index: 2,
        url: `http://${A}/t/1`,
        mirrored_at: own.created_at,
        mirror_status: 'active',
        checkpoint_size: 6,
      },
    });
  });

  it('shows a guest as a stub that is counted', async () => {
    const { community: _, ...stub } = await get(`${BOARD}/messages/3`);
    expect(stub).to.deep.equal({
      id: 3,
      root_id: 1,
      reply_to: 1,
      room: 'lobby',
      created_at: stub.created_at,
      signature_status: 'guest',
      withheld: 'guest',
      read_url: `${HERE}${BOARD}/messages/3`,
      url: `http://${A}/t/1?message=3#m3`,
      origin: { ...stub.origin, index: 4 },
      content_trust: 'untrusted_public_data',
    });
    const thread = await get(`${BOARD}/thread/1`);
    expect(thread.count).to.equal(3);
    expect(thread.data[2].withheld).to.equal('guest');
  });

  it('reads threads as the board does, without actions', async () => {
    const { a } = scene;
    const own = (await a.as().get('/api/thread/2?last=1')).body;
    const thread = await get(`${BOARD}/thread/2?last=1`);
    expect(thread).to.include({
      root_id: 1,
      title: 'First',
      windowed: true,
      cursor: own.cursor,
      next: null,
      previous: `${HERE}${BOARD}/thread/2?before=3&limit=1`,
    });
    expect(thread.opening_message.body).to.equal('See #2, needle.');
    expect(thread.visibility).to.deep.equal({ state: 'visible' });
    expect(thread).to.not.have.any.keys('actions', 'finish');
    const nothing = await get(`${BOARD}/thread/1?since=3`);
    expect(Object.keys(nothing)).to.have.members(
      Object.keys((await a.as().get('/api/thread/1?since=3')).body),
    );
  });

  it('pages topics by the same rules', async () => {
    const page = await get(`${BOARD}/threads?limit=1&sort=active`);
    expect(page.data[0]).to.include({ id: 4, title: 'Second' });
    expect(page.data[0]).to.not.have.property('score');
    const next = new URL(page.next);
    expect(`${next.origin}${next.pathname}`).to.equal(
      `${HERE}${BOARD}/threads`,
    );
    const older = await get(`${next.pathname}${next.search}`);
    expect(older.data[0]).to.include({ id: 1, reply_count: 2 });
    expect(older.next).to.equal(null);
    const room = await get(`${BOARD}/threads?room=findings&unanswered=1`);
    expect(room.data.map(({ id }: { id: number }) => id)).to.deep.equal([4]);
  });

  it('gives updates by the IDs of that board', async () => {
    const page = await get(`${BOARD}/updates?since=1&limit=2`);
    expect(page.data.map(({ id }: { id: number }) => id)).to.deep.equal([2, 3]);
    expect(page.cursor).to.equal(3);
    expect(page.next).to.include(`${HERE}${BOARD}/updates?since=3`);
    const end = await get(`${BOARD}/updates?since=99`);
    expect(end).to.include({ count: 0, cursor: 99, has_more: false });
  });

  it('merges all boards in an order of its own', async () => {
    const page = await get('/api/mesh/updates?limit=3');
    expect(page.data).to.have.lengthOf(3);
    expect(page.data[0].origin.board).to.equal(A);
    expect(page.has_more).to.equal(true);
    const rest = await get(`/api/mesh/updates?since=${page.cursor}`);
    expect(rest.count).to.equal(1);
    const end = await get(`/api/mesh/updates?since=${rest.cursor}`);
    expect(end).to.include({ count: 0, cursor: rest.cursor, next: null });
  });

  it('finds folded text, but neither guests nor ourselves', async () => {
    const found = await get('/api/mesh/search?q=NEEDLE');
    expect(found.data.map(({ id }: { id: number }) => id)).to.deep.equal([1]);
    expect(found.data[0]).to.include({ excerpt_offset: 0 });
    for (const q of ['STRASSE', 'stra%C3%9Fe', 'e%20%E2%84%961']) {
      const one = await get(`/api/mesh/search?q=${q}&board=${A}`);
      expect(one.data[0].id, q).to.equal(4);
    }
    const other = await get('/api/mesh/search?q=local');
    expect(other.count).to.equal(0);
    const short = await get('/api/mesh/search?q=e', 400);
    expect(short.field).to.equal('q');
  });

  it('pages a search by places in its own order', async () => {
    const first = await get('/api/mesh/search?q=e%20&limit=1');
    expect(first.data[0].id).to.equal(4);
    const { pathname, search } = new URL(first.next);
    const second = await get(`${pathname}${search}`);
    expect(second.data[0].id).to.equal(1);
    expect(second).to.include({ next: null, has_more: false });
  });

  it('knows no other board, message or thread', async () => {
    for (const path of ['threads', 'thread/1', 'updates', 'messages/1']) {
      for (const name of [
        'nobody.example',
        'board-b.example',
        '%00',
        '..%2f',
      ]) {
        const refused = await get(`/api/mesh/boards/${name}/${path}`, 404);
        expect(refused.error, name).to.equal('unknown_board');
      }
    }
    for (const id of ['99', '0', '01', 'x', '1e3']) {
      const message = await get(`${BOARD}/messages/${id}`, 404);
      expect(message.error).to.equal('message_not_found');
      const thread = await get(`${BOARD}/thread/${id}`, 404);
      expect(thread.error).to.equal('thread_not_found');
      const proof = await get(`${BOARD}/messages/${id}/proof`, 404);
      expect(proof.error).to.equal('message_not_found');
    }
    const search = await get('/api/mesh/search?q=ab&board=nobody.example', 404);
    expect(search.error).to.equal('unknown_board');
  });

  it('knows a board by its very name alone', async () => {
    const upper = await get('/api/mesh/boards/BOARD-A.EXAMPLE/threads', 404);
    expect(upper.error).to.equal('unknown_board');
    const long = await get(`/api/mesh/boards/${'a'.repeat(3000)}/threads`, 404);
    expect(long.error).to.equal('unknown_board');
    const slash = await scene.b.as().get(`${BOARD}/threads/`);
    expect(slash.body.error).to.equal('not_found');
  });

  it('reads a thread as text whose bodies cannot close their fences', async () => {
    const { text } = await scene.b.as().get(`${BOARD}/thread/1?format=text`);
    expect(text).to.match(/^THREAD \{.*\}\n/);
    expect(text).to.match(/^WITHHELD #3 -> #1 \S+Z guest$/m);
    expect(text).to.include('```\nSee #2, needle.\n```');
    const own = await scene.b.as().get(`${BOARD}/thread/1/text`).expect(200);
    expect(own.text).to.equal(text);
    expect(own.type).to.equal('text/plain');
  });

  it('caches what may be cached and nothing else', async () => {
    const { b } = scene;
    const threads = await b.as().get(`${BOARD}/threads`);
    const again = await b
      .get(`${BOARD}/threads`)
      .set('If-None-Match', threads.headers.etag ?? '');
    expect(again.status).to.equal(304);
    for (const path of ['updates', 'messages/1']) {
      const { headers } = await b.as().get(`${BOARD}/${path}`);
      expect(headers['cache-control'], path).to.equal('no-store');
      expect(headers, path).to.not.have.property('etag');
    }
    expect(threads.headers['access-control-allow-origin']).to.equal('*');
    await b.as().post(`${BOARD}/threads`).send({}).expect(405);
  });
});
