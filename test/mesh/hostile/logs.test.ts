import { mirrorPrefix } from '../../../mesh/pull/store/mirror-log.js';
import { LIFTED_KEYS } from '../../support/agent.js';
import { givenEach } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import {
  HostilePeer,
  type Mode,
  peerWith,
  sendJson,
} from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { meshBoard, mirrored, peerRow, sizeOf } from '../support/two-boards.js';

async function hostileScene() {
  const b = await meshBoard('board-b.example', {
    lifted: true,
    limits: LIFTED_KEYS,
  });
  const peers: HostilePeer[] = [];
  return {
    b,
    newLog: (name: string) => new ScriptedLog(name, b.clock.now() - 1000),
    peerOf: async (log: ScriptedLog, mode: Mode = () => false) => {
      const peer = await HostilePeer.start(log);
      peers.push(peer);
      peer.mode = mode;
      return { peer, originId: await peerWith(b, peer) };
    },
    caughtUp: async (originId: number, log: ScriptedLog) => {
      const isWhole = async () => (await sizeOf(b, originId)) === log.size;
      await until('the whole log', isWhole);
    },
    stop: async () => {
      await b.stop();
      for (const peer of peers) await peer.stop();
    },
  };
}

describe('a board that mirrors a lying log', () => {
  const scene = givenEach(hostileScene);
  const { b } = scene;

  it('finds the right texts where the feed has swapped or changed them', async () => {
    const log = scene.newLog('liar.example');
    const [one, two, three] = [log.post(), log.post(), log.post()];
    const { originId } = await scene.peerOf(log, ({ path, query, res }) => {
      if (path !== '/log/feed') return false;
      const page = log.page(Number(query.get('from')), 256, 'all');
      const [first, second, third] = page.entries;
      if (first && second && third) {
        [first.content, second.content] = [second.content, first.content];
        third.content = { ...(third.content as object), body: 'Another.' };
      }
      sendJson(res, page);
      return true;
    });
    await scene.caughtUp(originId, log);
    await until('every text', async () => {
      b.clock.advance(1000);
      await b.board.context.writes.query("SELECT pg_notify('board_peers', '')");
      const posts = await mirrored(b, originId);
      return posts.every(({ status }) => status === 'ok');
    });
    const texts = (await mirrored(b, originId)).map(({ body }) => body);
    expect(texts).to.eql([one, two, three].map(({ id }) => `Body of ${id}.`));
  });

  it('ends a poll once, by what came first, with the counts as they came', async () => {
    const log = scene.newLog('liar.example');
    const options = ['Yes', 'No'];
    const poll = { question: 'Which?', options, duration_hours: 24 };
    const { id } = log.post({ content: { poll } });
    const end = { type: 'poll', at: b.clock.now(), id, poll: id } as const;
    const said = { voters: 11, result: 'selected', winner: 3 } as const;
    const counts = [3, 1, 0, 7];
    log.entry({ ...end, ...said, counts });
    const { originId } = await scene.peerOf(log);
    await scene.caughtUp(originId, log);
    log.entry({ ...end, ...said, counts: [9, 2], winner: 0 });
    await scene.caughtUp(originId, log);
    const { body } = await b.get(`/api/mesh/boards/liar.example/thread/${id}`);
    expect(body.poll).to.include({ state: 'closed' });
    expect(body.poll.tally).to.eql({ ...said, counts, winner: null });
    const page = await b.get(`/mesh/liar.example/t/${id}`).expect(200);
    expect(page.text).to.include('11 ballots');
    expect((await peerRow(b, originId)).invalidEntries).to.equal(0);
  });

  it('reads any mesh document at all without harm', async () => {
    const log = scene.newLog('liar.example');
    log.post();
    const { origin } = log;
    const peerList = (count: number, peer: object) =>
      JSON.stringify({
        protocol: 'reserve-mesh/1',
        peers: Array(count).fill(peer),
      });
    const documents = [
      '',
      'null',
      '['.repeat(100_000),
      '{"protocol":"reserve-mesh/1"}',
      '{"protocol":"reserve-mesh/1","peers":7,"log":[],"identity":{}}',
      '{"protocol":"reserve-mesh/1","evidence_count":1e999}',
      peerList(50_000, {}),
      peerList(900, { name: 'x', origin, last_checkpoint: log.head() }),
      peerList(2, { name: '\0', origin: '\0', last_checkpoint: '\0' }),
      peerList(1, {
        origin: b.board.context.board.origin,
        last_checkpoint: 'x\n\n',
      }),
      JSON.stringify({
        protocol: 'reserve-mesh/1',
        identity: '\0',
        log: { origin, checkpoint: 'a'.repeat(100_000) },
      }),
      ' '.repeat(3_000_000),
    ];
    let document = '';
    const { originId } = await scene.peerOf(log, ({ path, res }) => {
      if (path === '/api/mesh') res.end(document);
      else if (path === '/api/mesh/evidence') res.end(document);
      else return false;
      return true;
    });
    await scene.caughtUp(originId, log);
    for (document of documents) {
      await b.board.background.peers.witness.round();
    }
    const { body } = await b.as().get('/api/mesh');
    expect(body.peers[0]).to.include({ status: 'active', last_error: null });
    expect(body.evidence_count).to.equal(0);
    const head = await fetch(`${b.url}${mirrorPrefix(origin)}/checkpoint`);
    expect(await head.text()).to.contain(log.head());
  });

  it('believes no mirror of a dead log, and finds the one that is true', async () => {
    const log = scene.newLog('dead.example');
    for (let n = 0; n < 3; n += 1) log.post();
    const dead = await scene.peerOf(log);
    await scene.caughtUp(dead.originId, log);
    const fork = scene.newLog('dead.example');
    for (let n = 0; n < 5; n += 1) fork.post({ content: { body: 'Forged.' } });
    const prefix = mirrorPrefix(log.origin);
    const mirrorOf =
      (change: (page: object) => object): Mode =>
      ({ path, query, res }) => {
        if (path !== `${prefix}/feed`) return false;
        const from = Number(query.get('from'));
        sendJson(res, change(log.page(from, 256, 'all')));
        return true;
      };
    const stranger = scene.newLog('stranger.example');
    const lies: Mode[] = [
      mirrorOf((page) => ({ ...page, entries: [{ leaf: 'forged' }] })),
      mirrorOf((page) => ({ ...page, checkpoint: stranger.head() })),
      mirrorOf(() => fork.page(0, 256, 'all', 2)),
      ({ res }) => {
        res.writeHead(200).end('['.repeat(100_000));
        return true;
      },
      mirrorOf((page) => page),
    ];
    for (const [nth, mode] of lies.entries()) {
      const { originId } = await scene.peerOf(
        scene.newLog(`mirror-${nth}.example`),
        mode,
      );
      await b.board.context.writes.query(
        'UPDATE peer SET document = $2 WHERE origin_id = $1',
        [originId, JSON.stringify({ peers: [{ origin: log.origin }] })],
      );
    }
    dead.peer.mode = ({ res }) => {
      res.destroy();
      return true;
    };
    dead.peer.wake();
    await until('its death', async () => {
      return (await peerRow(b, dead.originId)).lastErrorCode !== null;
    });
    for (let n = 0; n < 4; n += 1) log.post();
    b.clock.advance(61_000);
    await b.board.context.writes.query("SELECT pg_notify('board_peers', '')");
    await scene.caughtUp(dead.originId, log);
    const posts = await mirrored(b, dead.originId);
    expect(posts.map(({ body }) => body)).to.eql(
      posts.map(({ id }) => `Body of ${id}.`),
    );
    expect((await peerRow(b, dead.originId)).status).to.equal('active');
  });
});
