import { createHash } from 'node:crypto';
import { LessThanOrEqual } from 'typeorm';
import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import { listedAt } from '../../../mesh/witness/ask-peer.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { IdCounter } from '../../../server/db/entities/counter.js';
import { LogState } from '../../../server/db/entities/log.js';
import { Evidence } from '../../../server/db/entities/mirror.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { within } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { HostilePeer } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { twoNodes } from './node-on-port.js';

const PEERS = 1000;
const FOLLOWED = 300;
const CAP = 262_144;

/** Peers 1 to 1,000; of two in a row the heads were made at one time. */
function known(originId: number): [Partial<Peer>, Partial<LogState>] {
  const name = `board-${String(originId).padStart(4, '0')}.mesh.example`;
  const origin = `${name}/log`;
  const key = `+0123abcd+${'A'.repeat(44)}`;
  const logVkey = `${origin}${key}`;
  const peer = {
    ...{ originId, name, origin, logVkey, identity: 'x', identitySeq: 1 },
    baseUrl: `https://${name}`,
    mirrorVkey: `${name}/mirror${key}`,
    nodeVkey: `${name}/node${key}`,
    ...{ addedAt: 1, confirmedAt: 1, statusAt: 1 },
    ...{ status: 'paused' as const, trust: 'mirror' as const },
  };
  const line = `— ${origin} ${'A'.repeat(92)}\n`;
  const log = {
    ...{ originId, board: name, origin, logVkey, identity: 'x', size: 5 },
    ...{ frontier: Buffer.alloc(0), lastMessageId: 5 },
    lastAt: 1_700_000_000_000 + Math.floor(originId / 2),
    checkpoint: `${origin}\n5\n${'A'.repeat(43)}=\n\n${line}${line}`,
  };
  return [peer, log];
}

describe('a board with a thousand peers (spec/mesh.md §B6, §B11.1)', () => {
  const { a, b } = given(twoNodes());

  before(async () => {
    const all = Array.from({ length: PEERS }, (_, at) => known(at + 1));
    await rows(a).insert(
      Peer,
      all.map(([peer]) => peer),
    );
    await rows(a).insert(
      LogState,
      all.map(([, log]) => log),
    );
  });

  it('shows the 200 with the newest heads in 256 kB', async () => {
    const { body, text } = await a.as().get('/api/mesh').expect(200);
    expect(Buffer.byteLength(text)).to.be.at.most(CAP);
    const names = body.peers.map(({ name }: { name: string }) => name);
    const newest = Array.from({ length: 200 }, (_, at) => known(at + 801));
    expect(names).to.deep.equal(newest.map(([{ name }]) => name));
  });

  it('lists every peer once, the blocked one never', async () => {
    await rows(a).update(Peer, { originId: 500 }, { status: 'blocked' });
    const { body } = await a.as().get('/api/mesh');
    const names = new Set<string>(body.peers.map(({ name }: Peer) => name));
    let before: string | null = body.next_before;
    let listed = body.peers.length;
    while (before !== null) {
      const path = `/api/mesh/peers?before=${before}&limit=77`;
      const page = await a.as().get(path).expect(200);
      expect(page.body.count).to.be.within(1, 77);
      for (const { name } of page.body.data) names.add(name);
      listed += page.body.count;
      before = page.body.next_before;
    }
    expect(listed).to.equal(PEERS - 1);
    expect(names.size).to.equal(PEERS - 1);
    await rows(a).update(Peer, { originId: 500 }, { status: 'paused' });
  });

  it('lets no peer choose its place by its own clock', async () => {
    await rows(a).update(Peer, { originId: 7 }, { remoteSeenAt: 9 });
    await rows(a).update(LogState, { originId: 7 }, { lastAt: 9e15 });
    const path = '/api/mesh/peers?limit=1';
    const { body } = await a.as().get(path).expect(200);
    expect(body.data[0].name).to.equal(known(PEERS)[0].name);
    await a.as().get(`${path}&before=${body.next_before}`).expect(200);
  });

  it('tags a page by its news alone', async () => {
    const ask = (tag = '') =>
      a.as().get('/api/mesh/peers?limit=9').set('If-None-Match', tag);
    const { headers } = await ask().expect(200);
    const seen = { lastSuccessAt: 5, lastErrorAt: 5, lastErrorCode: 'timeout' };
    await rows(a).update(Peer, { originId: PEERS }, seen);
    const failed = await ask(headers.etag).expect(200);
    const later = { lastSuccessAt: 6, lastErrorAt: 6 };
    await rows(a).update(Peer, { originId: PEERS }, later);
    await ask(failed.headers.etag).expect(304);
  });

  it('ends a page of large peers before its bytes', async () => {
    const baseUrl = `https://${'x'.repeat(290)}`;
    const vkey = 'v'.repeat(300);
    const large = { baseUrl, logVkey: vkey, mirrorVkey: vkey };
    await rows(a).update(Peer, { status: 'paused' }, large);
    const { body, text } = await a.as().get('/api/mesh').expect(200);
    expect(Buffer.byteLength(text)).to.be.at.most(CAP);
    expect(body.peers.length).to.be.within(1, 199);
    const next = `/api/mesh/peers?before=${body.next_before}`;
    const { body: page } = await a.as().get(next).expect(200);
    const last = known(PEERS - body.peers.length)[0].name;
    expect(page.data.at(-1).name).to.equal(last);
  });

  it('refuses a place that no page named', async () => {
    for (const before of ['x', '1', '-1-1', '1-0', '%C3%A9']) {
      const path = `/api/mesh/peers?before=${before}`;
      const { status, body } = await a.as().get(path);
      expect([status, body.error, body.field], before).to.deep.equal([
        ...[400, 'invalid_input', 'before'],
      ]);
    }
  });

  it('is read to the page that lists a board, wherever that is', async () => {
    const client = new PeerClient({ allowHttp: true, allowPrivate: true });
    const [{ name = '', origin }] = known(1); // of the oldest head
    const listed = await listedAt(client, a.url, name);
    expect(listed).to.include({ name, origin });
    expect(await listedAt(client, a.url, 'nobody.example')).to.equal(null);
    await client.close();
  });

  it('lists the newest 300 pieces of evidence in 256 kB', async () => {
    const pieces = Array.from({ length: 301 }, (_, at) => ({
      sha256: createHash('sha256').update(String(at)).digest(),
      origin: `${'x'.repeat(105)}/log`,
      ...{ kind: 'equivocation', bytes: Buffer.alloc(1), at },
    }));
    await rows(a).insert(Evidence, pieces);
    const { body, text } = await a.as().get('/api/mesh/evidence').expect(200);
    const named = body.data.map((it: { sha256: string }) => it.sha256);
    const newest = pieces.slice(1).map((it) => it.sha256.toString('hex'));
    expect(named).to.deep.equal(newest);
    expect(Buffer.byteLength(text)).to.be.at.most(CAP);
  });

  it('is added by another board within two seconds, and adds it, following 300', async () => {
    const silent = await HostilePeer.start(
      new ScriptedLog('silent.example', 1),
    );
    silent.mode = () => true;
    try {
      for (let originId = 1; originId <= FOLLOWED; originId += 1) {
        const [{ name = '' }] = known(originId);
        const { log } = new ScriptedLog(name, 1).keys;
        const logVkey = formatVkey(log.vkey);
        await rows(a).update(LogState, { originId }, { logVkey, size: 0 });
      }
      const followed = { baseUrl: silent.url, kept: 'signed' } as const;
      await rows(a).update(
        Peer,
        { originId: LessThanOrEqual(FOLLOWED) },
        { ...followed, status: 'active' },
      );
      await rows(a).insert(IdCounter, { name: 'log_origin', lastId: PEERS });
      const { mesh } = a.board.background.peers;
      await until('300 are followed', () => mesh.pulling === FOLLOWED);
      for (const [at, other] of [
        [b, a],
        [a, b],
      ] as const) {
        const began = performance.now();
        const { name } = await at.board.peerAdmin.add(other.url);
        expect(performance.now() - began).to.be.at.most(within(2000));
        expect(name).to.equal(other.board.context.board.name);
      }
      const { text } = await a.as().get('/api/mesh').expect(200);
      expect(Buffer.byteLength(text)).to.be.at.most(CAP);
    } finally {
      await silent.stop();
    }
  });
});
