import { mirrorPrefix } from '../../../mesh/pull/store/mirror-log.js';
import { until } from '../../support/until.js';
import { HostilePeer, peerWith, sendJson } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { givenMoving } from './moving-board.js';

const REDIRECTS = [301, 302, 303, 307, 308, 300, 201];

describe('a peer that has moved', () => {
  // Before the end of the scene, which stops A.
  afterEach(async () => {
    await scene.retry();
    await scene.grows();
    expect(scene.canary.hits).to.equal(0);
    const { base_url: url } = await shown();
    expect(url).to.equal(scene.peer.url);
  });
  const scene = givenMoving();

  const shown = () => scene.b.board.peerAdmin.read(scene.log.board);
  const waits = async (address: string) => {
    await until('a waiting address', async () => {
      return (await shown()).pending_address === address;
    });
  };
  /** While the work lasts the feed is not to be had of A itself. */
  async function dead(work: () => Promise<void>): Promise<void> {
    const { peer, b } = scene;
    const { mode } = peer;
    peer.mode = ({ res }) => {
      res.destroy();
      return true;
    };
    peer.hangUp();
    await until('its death', async () => (await shown()).last_error !== null);
    b.clock.advance(61_000);
    await work();
    peer.mode = mode;
  }

  it('is not asked at another port that its identity names', async () => {
    const { shows, canary } = scene;
    shows.identity = scene.identity(canary.url);
    await scene.round();
    await waits(canary.url);
    await scene.round();
  });

  it('is not asked at its own port by another scheme', async () => {
    const { shows, peer } = scene;
    const https = peer.url.replace('http:', 'https:');
    shows.identity = scene.identity(https);
    await scene.round();
    await waits(https);
  });

  it('is not asked at another port that an entry of its log names', async () => {
    const { canary } = scene;
    scene.writes(scene.identity(canary.url));
    await scene.grows();
    await waits(canary.url);
    expect((await shown()).invalid_entries).to.equal(0);
  });

  it('is not asked where a mirror of its log says that it is', async () => {
    const { b, log, canary } = scene;
    const other = new ScriptedLog('mirror.example', 5);
    const mirror = await HostilePeer.start(other);
    const prefix = mirrorPrefix(log.origin);
    const identity = scene.identity(canary.url);
    const listed = {
      name: log.board,
      origin: log.origin,
      base_url: canary.url,
    };
    mirror.mode = ({ path, query, res }) => {
      if (path === '/api/mesh') {
        sendJson(res, {
          protocol: 'reserve-mesh/1',
          log: { origin: other.origin, checkpoint: other.head() },
          peers: [{ ...listed, identity, last_checkpoint: log.head() }],
          evidence_count: 0,
        });
        return true;
      }
      if (path !== `${prefix}/feed`) return false;
      sendJson(res, log.page(Number(query.get('from')), 256, 'all'));
      return true;
    };
    await peerWith(b, mirror);
    await scene.round();
    await dead(async () => {
      scene.writes(identity);
      await scene.grows();
    });
    await waits(canary.url);
    expect(mirror.asked.some((path) => path.startsWith(prefix))).to.equal(true);
    await b.board.peerAdmin.block(other.board);
    await mirror.stop();
  });

  it('is not followed to where its answers redirect', async () => {
    const { peer, log, canary, b } = scene;
    const { mode } = peer;
    let redirected = 0;
    peer.mode = ({ path, query, res }) => {
      const status = REDIRECTS[redirected % REDIRECTS.length] ?? 302;
      redirected += 1;
      const { port } = new URL(canary.url);
      res.writeHead(status, {
        location: `${canary.url}${path}?${query}`,
        refresh: `0; url=${canary.url}`,
        'content-location': canary.url,
        'alt-svc': `http/1.1="127.0.0.1:${port}"; ma=60, h2=":${port}"`,
      });
      res.end();
      return true;
    };
    peer.hangUp();
    log.post();
    for (let round = 0; round < REDIRECTS.length; round += 1) {
      const before = redirected;
      await b
        .as()
        .post('/api/mesh/hint')
        .send({ origin: log.origin, size: log.size });
      b.clock.advance(31_000);
      await scene.round();
      await until('a redirect', () => redirected > before);
    }
    peer.mode = mode;
    b.clock.advance(3_600_000);
  });

  it('is not asked where its evidence is said to be', async () => {
    const { peer, shows, canary } = scene;
    const { mode } = peer;
    const sha256 = 'ab'.repeat(32);
    let asked = 0;
    peer.mode = (question) => {
      const { path, res } = question;
      if (!path.startsWith('/api/mesh/evidence')) return mode(question);
      asked += 1;
      const { origin } = scene.log;
      const url = `${canary.url}/api/mesh/evidence/${sha256}`;
      sendJson(res, { data: [{ sha256, origin, url }], count: 1 });
      return true;
    };
    shows.evidence_count = 1;
    await scene.round();
    expect(asked).to.equal(2);
    shows.evidence_count = 0;
    peer.mode = mode;
  });

  it('is not asked where a hint says that it is', async () => {
    const { b, log, canary } = scene;
    const { origin, size } = log;
    const hint = () =>
      b
        .as()
        .post('/api/mesh/hint')
        .set('Forwarded', `host=${new URL(canary.url).host}`);
    await hint().send({ origin, size, url: canary.url }).expect(400);
    await hint().send({ origin: canary.url, size }).expect(404);
    await hint().send({ origin, size }).expect(202);
  });

  it('is not moved by a policy', async () => {
    const { b, canary } = scene;
    const { peerAdmin } = b.board;
    const policy = await peerAdmin.exportPolicy();
    const peers = policy.peers.map((it) => ({ ...it, base_url: canary.url }));
    const moved = { ...policy, peers };
    const [seen] = await peerAdmin.importPolicy(moved, { apply: true });
    expect(seen?.action).to.equal('refused');
  });

  it('is not asked at the address of a new generation', async () => {
    const { shows, canary, log } = scene;
    shows.identity = log.nextIdentity(canary.url, 1000, log.keys.log);
    await scene.round();
    await waits(canary.url);
  });
});
