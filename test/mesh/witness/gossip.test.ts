import { createHash } from 'node:crypto';
import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import { mirrorsOf } from '../../../mesh/pull/store/mirror-log.js';
import { comparePeers } from '../../../mesh/restore/compare-peers.js';
import { parseEntry } from '../../../protocol/entry.js';
import { formatEvidence } from '../../../protocol/evidence.js';
import { signIdentity } from '../../../protocol/identity.js';
import { keyPairFromSeed } from '../../../protocol/signing.js';
import { ED25519, formatVkey, makeVkey } from '../../../protocol/vkey.js';
import { LogEntry } from '../../../server/db/entities/log.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { OWN_LOG } from '../../../server/ledger/own-log.sql.js';
import { given } from '../../support/hooks.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { meshing } from '../peers/node-on-port.js';
import { type FakeBoard, type FakeBoards, fakeBoards } from './fake-boards.js';

const HOUR_MS = 3_600_000;

describe('gossip', () => {
  const { node } = given(meshing);
  const client = new PeerClient({ allowHttp: true, allowPrivate: true });
  after(() => client.close());
  let fakes: FakeBoards;
  let teller: FakeBoard;
  let victim: FakeBoard;
  let other: FakeBoard;

  beforeEach(async () => {
    fakes = await fakeBoards(3);
    const [one, two, three] = fakes.boards;
    if (!one || !two || !three) throw new Error('no boards');
    [teller, victim, other] = [one, two, three];
    for (const board of fakes.boards) {
      board.log.grow(6);
      await node.board.peerAdmin.add(board.who.url, { confirm: board.logVkey });
    }
    await until('three mirrors', async () =>
      (await peersHere()).every(({ mirrored_size: size }) => size === 7),
    );
  });

  afterEach(async () => {
    for (const { who } of fakes.boards) {
      await node.board.peerAdmin.block(who.name);
    }
    await fakes.stop();
  });

  const round = () => node.board.background.peers.witness.round();

  async function peersHere() {
    const names = fakes.boards.map(({ who }) => who.name);
    const list = await node.board.peerAdmin.list();
    return list.filter(({ name }) => names.includes(name));
  }

  async function statusOf({ who }: FakeBoard): Promise<string> {
    return (await node.board.peerAdmin.read(who.url)).status;
  }

  async function kept(): Promise<string[]> {
    const { body } = await node.as().get('/api/mesh/evidence');
    const data: { sha256: string; origin: string }[] = body.data;
    return data
      .filter(({ origin }) => origin === victim.who.origin)
      .map(({ sha256 }) => sha256);
  }

  function serve(text: string, origin: string): string {
    const sha256 = createHash('sha256').update(text).digest('hex');
    teller.evidence.set(sha256, { origin, text });
    return sha256;
  }

  function fork(board: FakeBoard): string {
    const { origin } = board.who;
    const second = board.log
      .fork(3)
      .grow(board.log.size - 3)
      .head();
    const first = board.log.head();
    return formatEvidence({ origin, logVkey: board.logVkey, first, second });
  }

  it('acts on evidence that another board found, after verifying it', async () => {
    const sha256 = serve(fork(victim), victim.who.origin);
    await round();
    expect(await statusOf(victim)).to.equal('quarantined');
    expect(await statusOf(teller)).to.equal('active');
    expect(await kept()).to.deep.equal([sha256]);
    const answer = await node.as().get(`/api/mesh/evidence/${sha256}`);
    expect(answer.text).to.equal(teller.evidence.get(sha256)?.text);
  });

  it('believes no evidence that does not stand', async () => {
    const { origin } = victim.who;
    const head = victim.log.head();
    const { logVkey } = victim;
    const same = { origin, logVkey, first: head, second: head };
    serve(formatEvidence(same), origin); // one history twice
    serve(fork(other).replaceAll(other.who.origin, origin), origin);
    serve('{}', origin);
    serve('x'.repeat(20_000), origin);
    const honest = fork(victim);
    const lie = createHash('sha256').update('another name').digest('hex');
    teller.evidence.set(lie, { origin, text: honest }); // under a wrong name
    await round();
    expect(await statusOf(victim)).to.equal('active');
    expect(await kept()).to.deep.equal([]);
  });

  it('takes heads from the pages behind a document, unchanged ones too', async () => {
    victim.refusesProofs = 400;
    const ahead = victim.log.fork(7).grow(5);
    teller.behind.push({ origin: victim.who.origin, head: ahead.head() });
    await round();
    node.clock.advance(600_000);
    await round();
    expect(teller.unchanged).to.equal(1);
    const peer = await node.board.peerAdmin.read(victim.who.url);
    expect(peer.status_reason).to.equal('unresolved_view');
  });

  it('knows of a board whom it lists, on whatever page', async () => {
    const { board, keys, writes } = node.board.context;
    const { url, name } = teller.who;
    const { originId } = await rows(node).findOneByOrFail(Peer, {
      origin: victim.who.origin,
    });
    const { id } = teller.log.post();
    teller.turn(teller.log);
    await until('its post', async () => {
      const peer = await node.board.peerAdmin.read(url);
      return peer.mirrored_size === teller.log.size;
    });
    const looks: Record<string, () => Promise<unknown>> = {
      'has confirmed us': async () =>
        (await node.board.peerAdmin.read(url)).confirmed_us === true,
      'is a mirror of another': async () =>
        (await mirrorsOf(writes, originId, victim.who.origin)).some(
          ({ baseUrl }) => baseUrl === url,
        ),
      'takes our posts': async () => {
        const path = `/api/mesh/boards/${name}/thread/${id}`;
        const { body } = await node.as().get(path).expect(200);
        return body.actions !== undefined;
      },
      'is not said by doctor to lack us': async () => {
        const own = { board: board.name, vkey: keys.log.vkey };
        const views = await comparePeers({ sql: writes, client }, own);
        return views.some(
          (it) => it.peer === name && it.answered === (it.listed === 'active'),
        );
      },
    };
    const results = async () => {
      const all: [string, unknown][] = [];
      for (const [what, look] of Object.entries(looks)) {
        all.push([what, await look()]);
      }
      return all;
    };
    await round();
    const none = Object.keys(looks).map((what) => [what, false]);
    expect(await results()).to.deep.equal(none);
    const row = { head: '', trust: 'relay', status: 'active' };
    const log_vkey = formatVkey(keys.log.vkey);
    teller.behind.push({ ...row, origin: board.origin, log_vkey });
    teller.behind.push({ ...row, origin: victim.who.origin });
    for (const refusesPages of [undefined, undefined, 503]) {
      Object.assign(teller, { refusesPages });
      node.clock.advance(60_000);
      await round();
      const all = Object.keys(looks).map((what) => [what, true]);
      expect(await results()).to.deep.equal(all);
    }
  });

  it('waits ten minutes for a view that nobody explains', async () => {
    victim.refusesProofs = 400;
    const ahead = victim.log.fork(7).grow(5);
    teller.gossip.push({ origin: victim.who.origin, head: ahead.head() });
    await round();
    expect(await statusOf(victim)).to.equal('active');
    node.clock.advance(600_000);
    await round();
    const peer = await node.board.peerAdmin.read(victim.who.url);
    expect(peer).to.include({
      status: 'quarantined',
      status_reason: 'unresolved_view',
    });
    expect((await node.board.peerAdmin.resume(victim.who.url)).status).to.equal(
      'active',
    );
  });

  for (const [proof, refusesProofs] of [
    ['the log', undefined],
    ['its feed alone', 404],
  ] as const) {
    it(`takes a head that ${proof} proves to continue ours`, async () => {
      const ahead = victim.log.fork(7).grow(5);
      teller.gossip.push({ origin: victim.who.origin, head: ahead.head() });
      Object.assign(victim, { refusesProofs, log: ahead.fork(12).grow(2) });
      await round();
      node.clock.advance(600_000);
      await round();
      expect(['active', 'lagging']).to.include(await statusOf(victim));
    });
  }

  it('goes back at once to a log that answers again, and to no liar', async () => {
    // A worker that still holds a poll would hear of the growth by itself.
    for (const { who } of fakes.boards)
      await node.board.peerAdmin.pause(who.url);
    const { mesh } = node.board.background.peers;
    await until('the workers to end', () => mesh.pulling === 0);
    const backOff = async (board: FakeBoard, code: string) => {
      board.log = board.log.fork(7).grow(5);
      await node.board.context.writes.query(
        `UPDATE peer SET status = 'active', failures = 9, retry_at = $2,
           last_error_code = $3 WHERE origin = $1`,
        [board.who.origin, node.clock.now() + HOUR_MS, code],
      );
    };
    await backOff(victim, 'unreachable');
    await backOff(teller, 'http_503');
    await backOff(other, 'feed_corrupt');
    await round();
    const sizeOf = async ({ who }: FakeBoard) =>
      (await node.board.peerAdmin.read(who.url)).mirrored_size;
    for (const board of [victim, teller]) {
      await until('the grown log', async () => (await sizeOf(board)) === 12);
    }
    expect(await sizeOf(other)).to.equal(7);
    expect((await node.board.peerAdmin.read(other.who.url)).retry_at).to.be.a(
      'string',
    );
  });

  it('anchors every grown peer once an hour', async () => {
    const origins = fakes.boards.map(({ who }) => who.origin);
    const anchors = async () => {
      const own = { originId: OWN_LOG, type: 'anchor' };
      const entries = await rows(node).findBy(LogEntry, own);
      return entries
        .filter(({ leaf }) => origins.some((origin) => leaf.includes(origin)))
        .map(({ leaf }) => parseEntry(leaf.toString('utf8')));
    };
    await until('cosigned', async () =>
      (await peersHere()).every(({ last_checkpoint: head }) =>
        head?.includes('/mirror '),
      ),
    );
    await round();
    await round();
    expect(await anchors()).to.have.length(3);
    expect((await anchors()).every(({ ok }) => ok)).to.equal(true);
    node.clock.advance(HOUR_MS);
    await round();
    expect(await anchors()).to.have.length(3);
  });

  it('waits for nobody who does not answer', async () => {
    serve(fork(victim), victim.who.origin);
    other.silent = (path) => path.startsWith('/api');
    other.refusesProofs = 400;
    const ahead = other.log.fork(7).grow(5);
    teller.gossip.push({ origin: other.who.origin, head: ahead.head() });
    const going = round().catch(() => undefined); // ends with the node
    await until('the evidence of another', async () => {
      return (await statusOf(victim)) === 'quarantined';
    });
    expect(other.asked).to.include('/api/mesh');
    // A board that starts asks its peers for its own head.
    await node.restart(async () => void delete other.silent);
    await going;
    node.board.background.peers.mesh.start();
  });

  it('asks again for evidence that could not be had', async () => {
    serve(fork(victim), victim.who.origin);
    for (const status of [503, 429]) {
      teller.refusesEvidence = status;
      await round();
      expect(await statusOf(victim)).to.equal('active');
    }
    delete teller.refusesEvidence;
    await round();
    expect(await statusOf(victim)).to.equal('quarantined');
  });

  it('finds one piece of evidence among many that are none', async () => {
    for (let at = 0; at < 20; at += 1)
      serve(`{"none":${at}}`, victim.who.origin);
    serve(fork(victim), victim.who.origin);
    await round();
    expect(await statusOf(victim)).to.equal('active');
    await round();
    expect(await statusOf(victim)).to.equal('quarantined');
  });

  it('takes a changed identity only from the pinned key, with a higher seq', async () => {
    const { who } = victim;
    const pair = keyPairFromSeed(Buffer.alloc(32, 9));
    const fresh = {
      pair,
      vkey: makeVkey(`${who.name}/node`, ED25519, pair.publicKey),
    };
    const facts = {
      name: who.name,
      url: who.url,
      origin: who.origin,
      log: formatVkey(who.log.vkey),
      mirror: formatVkey(who.mirror.vkey),
      node: formatVkey(fresh.vkey),
      at: 1_768_478_400_000,
    };
    const pinned = (await node.board.peerAdmin.read(who.url)).identity;
    const thief = { ...who.log, pair };
    for (const note of [
      signIdentity({ ...facts, seq: 0 }, who.log, fresh),
      signIdentity({ ...facts, seq: 1 }, thief, fresh),
    ]) {
      who.identity = note;
      await round();
      expect((await node.board.peerAdmin.read(who.url)).identity).to.equal(
        pinned,
      );
    }
    const next = signIdentity({ ...facts, seq: 1 }, who.log, fresh);
    who.identity = next;
    await round();
    expect((await node.board.peerAdmin.read(who.url)).identity).to.equal(next);
  });
});
