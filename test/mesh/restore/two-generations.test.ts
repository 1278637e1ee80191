import { verifyProof } from '../../../protocol/proof.js';
import { parseVkey } from '../../../protocol/vkey.js';
import { taken } from '../../protocol/support/vectors.js';
import { type Agent, publishSigned, register } from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { watch } from '../../support/watched.js';
import { mirroredBoard } from '../support/mirrored-board.js';

type Item = {
  id: number;
  body?: string;
  removed?: boolean;
  withheld?: string;
  reply_count?: number;
  last_reply_id?: number | null;
  references?: { id: number }[];
};

describe('a mirror of two generations of one board', () => {
  const scene = given(mirroredBoard({ keepsDisk: true }));
  const { a, b, mirrored } = scene;
  let agent: Agent;
  let name: string;
  const ids = { topic: 0, kept: 0, back: 0, goes: 0, late: 0, last: 0 };

  before(async () => {
    ({ name } = scene);
    agent = await register(a);
    const topic = await publish(a, { title: 'Old', body: 'Old words.' });
    ids.topic = topic.message.id;
    ids.kept = await reply('Stays where it was.');
    ids.back = await reply('Comes back later.');
    ids.goes = await reply('Goes later.');
    await decideTo.remove(a, ids.back);
    await mirrored();
    await scene.nextGeneration();
    ids.late = await reply(`In the new log, about #${ids.kept}.`);
    ids.last = await reply('The last of the new log.');
    await mirrored();
  });

  async function reply(body: string): Promise<number> {
    const reply_to = ids.topic;
    return (await publishSigned(a, agent, { reply_to, body })).message.id;
  }

  function readAtB(what: string) {
    return b.as().get(`/api/mesh/boards/${encodeURIComponent(name)}/${what}`);
  }

  async function topicAtB(): Promise<Item> {
    const { body } = await readAtB('threads');
    return body.data.find(({ id }: Item) => id === ids.topic);
  }

  async function found(q: string): Promise<Item[]> {
    const { body } = await b.get(`/api/mesh/search?q=${encodeURIComponent(q)}`);
    return body.data;
  }

  const idsOf = (items: Item[]) => items.map(({ id }) => id);

  it('finds a new reply to a topic of the old log, and what it names', async () => {
    const [hit, ...more] = await found('in the new log');
    expect([hit?.id, more]).to.deep.equal([ids.late, []]);
    expect(idsOf(hit?.references as Item[])).to.deep.equal([ids.kept]);
    const { body } = await b.as().get('/api/mesh/updates?since=0&limit=100');
    const told = body.data.find(({ id }: Item) => id === ids.late);
    expect(idsOf(told.references)).to.deep.equal([ids.kept]);
    expect(idsOf(await found('words'))).to.deep.equal([ids.topic]);
  });

  it('counts replies of both after each removal', async () => {
    expect(await topicAtB()).to.include({
      reply_count: 4,
      last_reply_id: ids.last,
    });
    await decideTo.remove(a, ids.goes);
    await mirrored();
    expect(await topicAtB()).to.include({
      reply_count: 3,
      last_reply_id: ids.last,
    });
    await decideTo.remove(a, ids.last);
    await mirrored();
    expect(await topicAtB()).to.include({
      reply_count: 2,
      last_reply_id: ids.late,
    });
  });

  it('proves what the new log removes, of itself and of the old one', async () => {
    const proven = async (id: number) => {
      const own = await a.as().get(`/api/messages/${id}/proof`);
      const atB = await readAtB(`messages/${id}/proof`);
      for (const { body } of [own, atB]) {
        taken(verifyProof(body, taken(parseVkey(body.log_vkey))));
      }
      const { origin, state, content } = own.body;
      expect(atB.body).to.include({ origin, state, content });
      return [origin, state, content];
    };
    expect(await proven(ids.last)).to.deep.equal([
      `${name}/log2`,
      'removed',
      null,
    ]);
    // The old tree cannot hold the entry that removed it.
    expect(await proven(ids.goes)).to.deep.equal([
      `${name}/log`,
      'published',
      null,
    ]);
  });

  it('fetches a text again that the old log held', async () => {
    expect((await readAtB(`messages/${ids.back}`)).status).to.equal(404);
    await decideTo.reinstate(a, ids.back);
    await until('the text is back', async () => {
      const { status, body } = await readAtB(`messages/${ids.back}`);
      return status === 200 && body.body === 'Comes back later.';
    });
    expect((await topicAtB()).reply_count).to.equal(3);
    expect(idsOf(await found('comes back'))).to.deep.equal([ids.back]);
    const [peer] = (await b.as().get('/api/mesh')).body.peers;
    expect([peer.status, peer.withheld_contents]).to.deep.equal(['active', 0]);
  });

  it('describes both logs to machines', async () => {
    const { test, met, problems } = await watch(a);
    for (const log of ['/log', '/log2']) {
      await test.as().get(`${log}/checkpoint`).expect(200);
      await test.as().get(`${log}/feed?from=0&content=all`).expect(200);
      await test.as().get(`${log}/feed?from=999`).expect(409);
      await test.as().get(`${log}/consistency?from=1&to=2`).expect(200);
      await test.as().get(`${log}/content?index=0`).expect(404);
    }
    expect(problems).to.deep.equal([]);
    expect([...met]).to.include.members([
      'GET /log/checkpoint 200',
      ...['checkpoint', 'feed', 'consistency'].map(
        (read) => `GET /log2/${read} 200`,
      ),
      'GET /log2/feed 409',
      'GET /log2/content 404',
    ]);
  });

  it('hides a message of the old log here', async () => {
    await b.board.peerAdmin.hide(name, ids.kept, { reason: 'test' });
    const { status, body } = await readAtB(`messages/${ids.kept}`);
    expect([status, body.error]).to.deep.equal([451, 'hidden_by_operator']);
    await b.board.peerAdmin.hide(name, ids.kept, { undo: true });
    expect((await readAtB(`messages/${ids.kept}`)).status).to.equal(200);
  });

  it('drops and fetches the texts of both as trust changes', async () => {
    const bodies = async () =>
      (await readAtB(`thread/${ids.topic}`)).body.data.filter(
        ({ body }: Item) => body !== undefined,
      );
    const before = idsOf(await bodies());
    expect(before).to.deep.equal([ids.topic, ids.kept, ids.back, ids.late]);
    await b.board.peerAdmin.trust(name, { trust: 'proofs' });
    await until('no text', async () => (await bodies()).length === 0);
    expect(await found('words')).to.deep.equal([]);
    await b.board.peerAdmin.trust(name, { trust: 'mirror' });
    await until('all texts', async () => {
      const now = idsOf(await bodies());
      return now.length === before.length;
    });
    expect(idsOf(await found('words'))).to.deep.equal([ids.topic]);
  });

  it('shows of an ID given twice the later message alone', async () => {
    const { writes } = b.board.context;
    const [log] = await writes.query<{ origin_id: number }>(
      'SELECT origin_id FROM log_state WHERE origin = $1',
      [`${name}/log`],
    );
    const give = async (id: number, other: number) => {
      for (const [table, column] of [
        ['mirror_message', 'id'],
        ['mirror_search', 'message_id'],
        ['mirror_update', 'id'],
      ]) {
        await writes.query(
          `UPDATE ${table} SET ${column} = $3
           WHERE origin_id = $1 AND ${column} = $2`,
          [log?.origin_id, id, other],
        );
      }
    };
    const stream = async () => {
      const read = '/api/mesh/updates?since=0&limit=100';
      const { data } = (await b.as().get(read)).body;
      return data.map(({ id, body }: Item) => `${id} ${body}`);
    };
    const later = `${ids.late} In the new log, about #${ids.kept}.`;
    const whole: string[] = await stream();
    expect(whole).to.include.members([
      later,
      `${ids.kept} Stays where it was.`,
    ]);
    const counted = async () => {
      const { data } = (await b.as().get('/api/mesh/boards')).body;
      return data[0].messages;
    };
    const last =
      'UPDATE log_state SET last_message_id = $2 WHERE origin_id = $1';
    await give(ids.kept, ids.late);
    await writes.query(last, [log?.origin_id, ids.late]);
    // Six were published, and two of them have one ID now.
    expect(await counted()).to.equal(Object.keys(ids).length - 1);
    const left = whole.filter((told) => !told.startsWith(`${ids.kept} `));
    expect(await stream()).to.deep.equal(left);
    expect(await found('stays where')).to.deep.equal([]);
    expect(idsOf(await found('in the new log'))).to.deep.equal([ids.late]);
    const { data } = (await readAtB('updates?since=0')).body;
    expect(idsOf(data).filter((id) => id === ids.late)).to.have.length(1);
    await give(ids.late, ids.kept);
    await writes.query(last, [log?.origin_id, ids.goes]);
    expect(await stream()).to.deep.equal(whole);
  });

  it('finds by the index what is older than the newest messages', async () => {
    // So many more became readable since, which nothing is kept of.
    await b.board.context.writes.query(
      `WITH newest AS (UPDATE stream SET last_id = last_id + 3000
         WHERE name = 'mirror_updates' RETURNING last_id - 3000 AS seq)
       INSERT INTO mirror_update (seq, origin_id, id)
       SELECT newest.seq + n, p.origin_id, 1000000 + n
       FROM newest, peer p, generate_series(1, 3000) n`,
    );
    for (const [q, id] of [
      ['in the new log', ids.late],
      ['words', ids.topic],
      ['comes back', ids.back],
    ] as const) {
      expect(idsOf(await found(q)), q).to.deep.equal([id]);
    }
    const board = encodeURIComponent(name);
    const path = `/api/mesh/search?q=e%20&board=${board}&limit=1`;
    const seen: number[] = [];
    for (let next: string | null = path; next !== null; ) {
      const { body } = await b.as().get(next);
      seen.push(...idsOf(body.data));
      next = body.next === null ? null : body.next.slice(b.url.length);
    }
    expect(seen.length).to.be.at.least(2);
    expect(new Set(seen).size).to.equal(seen.length);
  });
});
