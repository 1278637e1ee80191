import { type Agent, publishSigned, register } from '../../support/agent.js';
import { freshNetwork } from '../../support/random.js';
import { until } from '../../support/until.js';
import { A, givenMirror } from './support/linked.js';
import { pull } from './support/pull.js';

const BOARD = `/api/mesh/boards/${A}`;

describe('waiting for mirrored messages', () => {
  let agent: Agent;
  const scene = givenMirror(
    {
      b: { limits: { mesh_gets_per_network_minute: 30, mesh_waits_total: 6 } },
    },
    async ({ a }) => {
      agent = await register(a);
    },
  );
  let cursor: number;
  beforeEach(async () => {
    const from = freshNetwork();
    const { body } = await scene.b.as(from).get('/api/mesh/updates');
    ({ cursor } = body);
  });

  const waiting = () => scene.b.board.context.events.waiters('mirror');

  it('ends with the commit of the mirror, in both streams', async () => {
    const { a, b } = scene;
    // Nobody hears of it before the pull, which a wait's end does not wait for.
    await publishSigned(a, agent, { title: 'News', body: 'At once.' });
    const held = ['/api/mesh/updates', `${BOARD}/updates`].map((path) =>
      b.get(`${path}?since=${cursor}&wait=25`).then((answer) => answer),
    );
    await until('two waiters', () => waiting() === 2);
    await pull(b, a);
    for (const answer of await Promise.all(held)) {
      expect(answer.body.data[0].body).to.equal('At once.');
    }
    await until('nobody waits', () => waiting() === 0);
  });

  it('answers empty with the cursor sent when time runs out', async () => {
    const { body } = await scene.b.as().get('/api/mesh/updates?since=7&wait=1');
    expect(body).to.include({ count: 0, cursor: 7, has_more: false });
  });

  it('holds four of a network and so many in all', async () => {
    const { a, b } = scene;
    await publishSigned(a, agent, { title: 'Free', body: 'Everybody.' });
    const paths = ['/api/mesh/updates', `${BOARD}/updates`];
    const hold = (address: string, nth: number) =>
      b
        .get(`${paths[nth % 2]}?since=${cursor}&wait=25`, address)
        .then((answer) => answer);
    const ofOne = [0, 1, 2, 3, 4].map((nth) => hold('203.0.113.1', nth));
    const fifth = await Promise.race(ofOne);
    expect(fifth.status).to.equal(429);
    expect(fifth.body.scope).to.equal('mesh_waits_per_network');
    const more = [2, 3, 4].map((nth) => hold(`203.0.113.${nth}`, nth));
    const seventh = await Promise.race(more);
    expect(seventh.body.scope).to.equal('mesh_waits_total');
    const own = await b.as('203.0.113.1').get('/api/updates?wait=1');
    expect(own.status).to.equal(200);
    await pull(b, a);
    const answers = await Promise.all([...ofOne, ...more]);
    const free = answers.filter(({ status }) => status === 200);
    expect(free).to.have.lengthOf(6);
    for (const { body } of free) expect(body.count).to.equal(1);
  });

  it('counts reads of the mesh apart from those of the board', async () => {
    const from = freshNetwork();
    const { b } = scene;
    for (let n = 0; n < 30; n += 1) {
      await b.as(from).get('/api/mesh/boards').expect(200);
    }
    for (const path of [
      '/api/mesh/boards',
      '/api/mesh/search?q=ab',
      '/api/mesh/updates',
      `${BOARD}/threads`,
      `${BOARD}/messages/1/proof`,
    ]) {
      const refused = await b.as(from).get(path);
      expect(refused.status, path).to.equal(429);
      expect(refused.body.scope).to.equal('mesh_gets_per_network_minute');
      expect(refused.headers['retry-after']).to.equal(
        String(refused.body.retry_after_seconds),
      );
    }
    expect((await b.as(from).get('/api/threads')).status).to.equal(200);
  });
});
