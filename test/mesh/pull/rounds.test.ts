import { In } from 'typeorm';
import { backoffMs } from '../../../mesh/pull/round-failed.js';
import { mirrorPrefix } from '../../../mesh/pull/store/mirror-log.js';
import { isPassed } from '../../../mesh/pull/store/pull-store.js';
import { LogEntry } from '../../../server/db/entities/log.js';
import { MirrorUpdate } from '../../../server/db/entities/mirror.js';
import type { Peer } from '../../../server/db/entities/peer.js';
import { recordFaults } from '../../faults/report.js';
import { FULL, within } from '../../support/full.js';
import { publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { logTransaction, sentDuring } from '../../support/sent.js';
import { until } from '../../support/until.js';
import {
  type HostilePeer,
  type Mode,
  peerWith,
  sendJson,
} from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import {
  level,
  meshBoard,
  mirrored,
  peerRow,
  peerUp,
  sizeOf,
} from '../support/two-boards.js';
import { answers, givenPulling, hangUp, limits } from './scripted-peer.js';

const REPLAYS = FULL ? 10_000 : 20;
const DAY_MS = 86_400_000;

describe('rounds of the pull loop', () => {
  const scene = givenPulling('posts');

  it('backs off from 2 s, doubled, to an hour, and keeps that in the row', async () => {
    const { b, peer } = scene;
    const caps = [1, 2, 3, 10, 11, 12, 99].map((n) => backoffMs(n, () => 1));
    const hour = 3_600_000;
    expect(caps).to.eql([2000, 4000, 8000, 1_024_000, 2_048_000, hour, hour]);
    expect(backoffMs(5, () => 0)).to.be.greaterThan(0);
    peer.mode = answers({}, 500);
    const originId = await peerWith(b, peer);
    await scene.failedWith(originId, 'http_500');
    await b.restart();
    const asked = peer.feeds;
    const { retryAt: at } = await peerRow(b, originId);
    expect(at).to.be.within(b.clock.now(), b.clock.now() + 4000);
    expect(peer.feeds - asked).to.be.lessThan(2);
  });

  it('stores a page by few statements, and looks for no post of its own', async () => {
    const { b, peer, log } = scene;
    const topic = log.post();
    for (let n = 0; n < 30; n += 1) log.post({ parent: topic });
    const sent = await sentDuring(async () => {
      await scene.caughtUp(await peerWith(b, peer));
    });
    const looks = sent.filter(({ text }) =>
      /"MirrorMessage_root_id"/.test(text),
    );
    expect(looks).to.deep.equal([]);
    const page = logTransaction(sent);
    expect(page.length, page.join('\n')).to.be.at.most(10);
  });

  it('stores what is sent again, or by five peers, once (F9)', async () => {
    const { b, peer, log } = scene;
    for (let n = 0; n < 40; n += 1) log.post();
    const originId = await peerWith(b, peer);
    await scene.caughtUp(originId);
    const first = log.page(0, 256, 'all');
    let replays = 0;
    peer.mode = ({ path, res }) => {
      if (path !== '/log/feed' || replays >= REPLAYS) return false;
      replays += 1;
      sendJson(res, first);
      return true;
    };
    peer.wake();
    await until('all replays', async () => {
      await scene.retryNow(originId);
      return replays >= REPLAYS;
    });
    const ids: number[] = [];
    const again = [1, 2, 3, 4].map((n) => new ScriptedLog(`m${n}.example`, 5));
    for (const copy of again) {
      for (const leaf of log.leaves) copy.leaf(leaf);
      const other = await scene.other(copy);
      const id = await peerWith(b, other);
      ids.push(id);
      await until('its log', async () => (await sizeOf(b, id)) === copy.size);
      const posts = await mirrored(b, id);
      expect(new Set(posts.map(({ fault }) => fault))).to.eql(
        new Set(['wrong_board']),
      );
    }
    const posts = await mirrored(b, originId);
    expect(posts).to.have.length(43);
    const events = { originId: In([originId, ...ids]) };
    expect(await rows(b).countBy(MirrorUpdate, events)).to.equal(43);
    await recordFaults({ test: 'F9', faults: REPLAYS + again.length });
  });

  it('stores nothing of a peer that is not confirmed and active (F16)', async () => {
    const { b, peer } = scene;
    const idle = ['pending', 'paused', 'quarantined', 'blocked'] as const;
    const logs = idle.map((status) => new ScriptedLog(`${status}.example`, 5));
    const ids: number[] = [];
    for (const [at, status] of idle.entries()) {
      const one = logs[at];
      if (one === undefined) throw new Error('no log');
      one.post();
      const other = await scene.other(one);
      ids.push(await peerWith(b, other, 'mirror', { status }));
    }
    const keyChanged = new ScriptedLog('changed.example', 5);
    keyChanged.post();
    const other = await scene.other(keyChanged);
    const impostor = new ScriptedLog('impostor.example', 5);
    const id = await peerWith(b, other);
    other.mode = ({ path, res }) => {
      if (path !== '/log/feed') return false;
      const page = keyChanged.page(0, 256, 'all');
      sendJson(res, { ...page, checkpoint: impostor.head(0) });
      return true;
    };
    await scene.failedWith(id, 'bad_checkpoint');
    const originId = await peerWith(b, peer);
    await scene.caughtUp(originId);
    const stored = { originId: In([id, ...ids]) };
    expect(await rows(b).countBy(LogEntry, stored)).to.equal(0);
    for (const one of scene.others.slice(0, 4)) {
      expect((one as HostilePeer).feeds).to.equal(0);
    }
  });

  it('asks nobody twice a second who does not wait', async () => {
    const { b, peer, log } = scene;
    const asked: number[] = [];
    peer.mode = ({ path, query, res }) => {
      const from = Number(query.get('from'));
      if (path !== '/log/feed' || from < log.size) return false;
      asked.push(performance.now());
      sendJson(res, log.page(from, 256, 'all'));
      return true;
    };
    const originId = await peerWith(b, peer);
    await scene.caughtUp(originId);
    const before = asked.length;
    await until('three more rounds', () => asked.length >= before + 3);
    // Half a second apart at least, however long each of them took.
    const [first = 0, , last = 0] = asked.slice(before);
    expect(last - first).to.be.greaterThan(2 * 450);
  });

  it('lets no bad peer slow another (F4)', async () => {
    const { b } = scene;
    const bad: Mode[] = [
      () => true, // never an answer
      ({ res }) => {
        res.writeHead(200);
        const timer = setInterval(() => res.write(' '), 50);
        res.once('close', () => clearInterval(timer));
        return true;
      },
      hangUp,
      answers('x'.repeat(3_000_000), 200),
    ];
    for (const [at, mode] of bad.entries()) {
      const other = await scene.other(new ScriptedLog(`slow${at}.example`, 5));
      other.mode = mode;
      await peerWith(b, other);
    }
    const a = await meshBoard('live.example', { limits });
    scene.others.push(a);
    const originId = await peerUp(b, a, 'mirror', { content: 'all' });
    await level(b, originId, a);
    for (let n = 0; n < 5; n += 1) {
      const { message } = await publish(a, { body: `live ${n}` });
      const sent = performance.now();
      await until('the message', async () =>
        (await mirrored(b, originId)).some(({ id }) => id === message.id),
      );
      expect(performance.now() - sent).to.be.below(within(2000));
    }
    await recordFaults({ test: 'F4 peers', faults: bad.length });
  });

  it('reads a dead origin at a mirror that lists it, in any back-off', async () => {
    const { b, peer, log } = scene;
    const originId = await peerWith(b, peer);
    await scene.caughtUp(originId);
    const mirror = await scene.other(new ScriptedLog('mirror.example', 5));
    mirror.mode = ({ path, query, res }) => {
      if (path !== `${mirrorPrefix(log.origin)}/feed`) return false;
      const from = Number(query.get('from'));
      sendJson(res, log.page(from, 2, query.get('content') ?? 'none'));
      return true;
    };
    const mirrorId = await peerWith(b, mirror);
    const document = JSON.stringify({ peers: [{ origin: log.origin }] });
    await scene.set(mirrorId, { document });
    peer.mode = hangUp;
    peer.wake();
    await scene.failedWith(originId, 'unreachable');
    for (let n = 0; n < 5; n += 1) log.post();
    await b.board.context.writes.query(
      `WITH later AS (UPDATE peer SET retry_at = $2 WHERE origin_id = $1)
       SELECT pg_notify('board_peers', '')`,
      [originId, b.clock.now() + 3_600_000],
    );
    b.clock.advance(61_000);
    await scene.caughtUp(originId);
    const posts = await mirrored(b, originId);
    expect(posts.every(({ status }) => status === 'ok')).to.equal(true);
    expect((await peerRow(b, originId)).failures).to.be.greaterThan(0);
  });

  /** Of a peer at its quota so much is kept, and the rest when that is over. */
  async function goesOnAfter(originId: number, size: number, ms: number) {
    const { b } = scene;
    await scene.failedWith(originId, 'quota');
    expect(await sizeOf(b, originId)).to.equal(size);
    expect((await peerRow(b, originId)).degradedReason).to.equal('quota');
    b.clock.advance(ms);
    await scene.retryNow(originId);
    await scene.caughtUp(originId);
  }

  it("takes a day's quota of new entries and no more", async () => {
    const { b, peer, log } = scene;
    for (let n = 0; n < 27; n += 1) log.post();
    const paused = { status: 'paused' } as const;
    const originId = await peerWith(b, peer, 'mirror', paused);
    await scene.set(originId, { entriesDay: 20, status: 'active' });
    await goesOnAfter(originId, 20, DAY_MS);
  });

  it('gives a peer on probation a tenth', async () => {
    const { b, peer, log } = scene;
    for (let n = 0; n < 27; n += 1) log.post();
    const originId = await peerWith(b, peer, 'mirror', {
      status: 'paused',
      probationUntil: b.clock.now() + 1000,
    });
    await scene.set(originId, { entriesDay: 100, status: 'active' });
    await goesOnAfter(originId, 10, 1001);
  });

  async function limited(quota: Partial<Peer>): Promise<number> {
    const { b, peer } = scene;
    const originId = await peerWith(b, peer, 'mirror', { status: 'paused' });
    await scene.set(originId, { ...quota, status: 'active' });
    await scene.retryNow(originId);
    await scene.caughtUp(originId);
    return originId;
  }

  it("takes a day's quota of texts by their bytes", async () => {
    const { peer, log } = scene;
    const originId = await limited({ contentBytesDay: 2000 });
    log.post({ content: { body: 'x'.repeat(1990) } });
    peer.wake();
    await goesOnAfter(originId, 3, DAY_MS);
  });

  it("takes an hour's quota of what is older than a day", async () => {
    const { b, peer, log } = scene;
    b.clock.advance(2 * DAY_MS);
    const bytes = log.leaves.join('').length;
    const originId = await limited({ backfillBytesHour: 2 * bytes });
    for (let n = 0; n < 3; n += 1) log.post();
    peer.wake();
    await goesOnAfter(originId, 3, 3_600_000);
  });

  it('makes statistics when a backfill has made a log large', async () => {
    const { b, peer, log } = scene;
    while (log.size <= 512) log.post();
    const originId = await peerWith(b, peer);
    await scene.caughtUp(originId);
    await until('the statistics', async () => {
      const [row] = await b.board.context.reads.query<{ made: number }>(
        `SELECT count(*)::int AS made FROM pg_stat_user_tables
         WHERE analyze_count > 0 AND relname = ANY($1)`,
        [
          ['log_entry', 'log_node', 'mirror_message'].map(
            (table) => `${table}_${originId}`,
          ),
        ],
      );
      return row?.made === 3;
    });
  });

  it('makes them again each time it has grown eightfold', () => {
    const sizes = [0, 256, 511, 512, 4095, 4096, 40_000, 262_144, 262_145];
    const passed = sizes.filter((size, at) =>
      isPassed(sizes[at - 1] ?? size, size),
    );
    expect(passed).to.deep.equal([512, 4096, 40_000, 262_144]);
  });
});
