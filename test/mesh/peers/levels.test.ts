import { peerTable } from '../../../mesh/cli/peer-text.js';
import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import { comparePeers } from '../../../mesh/restore/compare-peers.js';
import { ownMirrors } from '../../../mesh/witness/own-mirrors.js';
import { signCheckpoint } from '../../../protocol/checkpoint.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { newAgent, register } from '../../support/agent.js';
import { given } from '../../support/hooks.js';
import { preview } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { noise } from '../support/scripted-log.js';
import {
  type FakeBoard,
  type FakeBoards,
  fakeBoards,
} from '../witness/fake-boards.js';
import { meshing } from './node-on-port.js';

const kinds = {
  content: '/log/content',
  proof: '/log/consistency',
  cosignature: '/api/mesh/cosign',
  hint: '/api/mesh/hint',
  page: '/api/mesh/peers',
  mirror: '/mirror/',
  evidence: '/api/mesh/evidence',
};

/** What a board is asked for beside its document and its feed, by level. */
const OF_WITNESS = ['content', 'proof', 'cosignature', 'hint', 'page'];
const OF_MIRROR = [...OF_WITNESS, 'mirror', 'evidence'];

describe('a peer that states a level (spec/mesh.md §B6)', () => {
  const { node } = given(meshing);
  const client = new PeerClient({ allowHttp: true, allowPrivate: true });
  after(() => client.close());
  let fakes: FakeBoards;
  let peer: FakeBoard;
  let teller: FakeBoard;

  beforeEach(async () => {
    fakes = await fakeBoards(2);
    const [one, two] = fakes.boards;
    if (!one || !two) throw new Error('no boards');
    [peer, teller] = [one, two];
  });

  afterEach(async () => {
    for (const { who } of fakes.boards) {
      await node.board.peerAdmin.block(who.name).catch(() => {});
    }
    await fakes.stop();
  });

  const admin = () => node.board.peerAdmin;
  const round = () => node.board.background.peers.witness.round();
  const read = () => admin().read(peer.who.url);

  async function link(board: FakeBoard, trust: 'witness' | 'mirror') {
    const { who, logVkey: confirm, log } = board;
    log.post();
    log.grow(4);
    await admin().add(who.url, { confirm, trust, content: 'all' });
    await until('a copy of the log', async () => {
      return (await admin().read(who.url)).mirrored_size === log.size;
    });
  }

  async function askedFor(): Promise<string[]> {
    peer.behind.push({ origin: 'x.example/log', head: 'none' });
    peer.evidence.set('0'.repeat(64), { origin: 'x', text: '{}' });
    await link(peer, 'witness');
    await link(teller, 'mirror');
    // Texts that no page brought.
    await admin().trust(peer.who.name, { trust: 'mirror' });
    peer.turn(peer.log);
    await until('the texts', async () => {
      const path = `/api/mesh/boards/${peer.who.name}/messages/1`;
      return (await node.as().get(path)).body.body === 'Body of 1.';
    });
    // A head of the peer's log that only a third board shows.
    await admin().pause(peer.who.url);
    const { mesh } = node.board.background.peers;
    await until('the worker to end', () => mesh.pulling === 1);
    peer.log.grow(2);
    const { origin } = peer.who;
    teller.gossip.push({ origin, head: peer.log.head() });
    await node.board.context.writes.query(
      "UPDATE peer SET status = 'active', retry_at = $2 WHERE origin = $1",
      [origin, node.clock.now() + 3_600_000],
    );
    await round();
    // A start greets its peers, and asks the mirrors of its own log.
    await node.restart();
    node.board.background.peers.mesh.start();
    const { witness } = node.board.background.peers;
    witness.start();
    await until('a greeting', () =>
      teller.asked.some((path) => path.startsWith(kinds.hint)),
    );
    await witness.round();
    return Object.entries(kinds)
      .filter(([, path]) => peer.asked.some((one) => one.startsWith(path)))
      .map(([kind]) => kind);
  }

  for (const [level, expected] of [
    [1, []],
    [2, OF_WITNESS],
    [3, OF_MIRROR],
    [undefined, OF_MIRROR],
  ] as const) {
    it(`is asked only for what level ${level ?? '(none)'} has, and shown with it`, async () => {
      peer.level = level;
      expect((await askedFor()).sort()).to.deep.equal([...expected].sort());
      const { level: shown, status } = await read();
      expect(shown).to.equal(level ?? null);
      expect(['active', 'lagging']).to.include(status);
      for (const path of ['/api/mesh', '/api/mesh/peers']) {
        const { body } = await node.as().get(path);
        const peers: { name: string; level: unknown }[] =
          body.peers ?? body.data;
        const listed = peers.find(({ name }) => name === peer.who.name);
        expect(listed?.level, path).to.equal(level ?? null);
      }
      const name = level === undefined ? 'none stated' : `${level}, `;
      expect(peerTable(await admin().list())).to.include(`  ${name}`);
    });
  }

  it('is handed no posts below level 4', async () => {
    const agent = await register(node);
    peer.level = 3;
    await link(peer, 'mirror');
    const post = { board: peer.who.name, agent_id: agent.id };
    const refused = await preview(node, post).expect(404);
    expect(refused.body.error).to.equal('unknown_board');
    peer.level = 4;
    await round();
    expect((await preview(node, post)).status).to.equal(200);
  });

  it('is asked for our log where it mirrors it, else for the head it lists', async () => {
    const { writes, keys, board } = node.board.context;
    const parts = { db: writes, keys };
    const own = { board: board.name, vkey: keys.log.vkey };
    const root = noise('a later state of our log');
    const { origin } = board;
    const head = signCheckpoint({ origin, size: 99, root }, keys.log);
    peer.gossip.push({ origin, head });
    for (const [level, size, asks] of [
      [2, 99, false],
      [3, null, true],
    ] as const) {
      peer.level = level;
      if (level === 2) await link(peer, 'mirror');
      await round();
      peer.asked.length = 0;
      // The guard of a start, and doctor.
      const { seen } = await ownMirrors({ ...parts, client }).ask();
      expect(seen.map((it) => it.size)).to.deep.equal(size ? [size] : []);
      const [view] = await comparePeers({ sql: writes, client }, own);
      expect(view).to.include({ answered: true, size });
      expect(view?.conflict === null, 'signing goes on').to.equal(asks);
      const mirrors = peer.asked.filter((it) => it.startsWith(kinds.mirror));
      expect(mirrors.length > 0, `mirrors asked for: ${mirrors}`).to.equal(
        asks,
      );
    }
  });

  it('counts as a keeper of texts from level 3 on', async () => {
    const agent = newAgent();
    peer.log.key(agent);
    peer.log.post({ agent });
    await link(peer, 'mirror');
    await link(teller, 'mirror');
    const { name, origin } = peer.who;
    const mirrored_size = peer.log.size;
    const row = { trust: 'mirror', status: 'active', mirrored_size };
    teller.gossip.push({ ...row, origin, head: '' });
    await rows(node).update(Peer, { name }, { lastSuccessAt: 1 });
    const onlyHere = async (level: number) => {
      teller.level = level;
      await round();
      await rows(node).update(Peer, { name }, { lastSuccessAt: 1 });
      return (await admin().holdings(name)).only_here;
    };
    // A guest's text always counts as only here.
    const texts = [await onlyHere(2), await onlyHere(3)];
    expect(texts).to.deep.equal([2, 1]);
  });

  it('is judged by what it serves where that is no level', async () => {
    for (const level of ['4', -1, 1e9, 1.5, null, {}, [1], true]) {
      peer.level = 1;
      if (peer.log.size === 1) await link(peer, 'mirror');
      await round();
      expect((await read()).level).to.equal(1);
      peer.level = level;
      await round();
      const { level: shown, status, last_error } = await read();
      expect([shown, status, last_error]).to.eql([null, 'active', null]);
    }
    const { body } = await node.as().get('/api/mesh');
    expect(JSON.stringify(body)).to.not.include('1000000000');
  });
});
