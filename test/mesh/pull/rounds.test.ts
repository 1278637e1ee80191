import { expect } from 'chai';
import { backoffMs } from '../../../mesh/pull/round-failed.js';
import { recordFaults } from '../../faults/report.js';
import type { TestBoard } from '../../support/board.js';
import { FULL } from '../../support/full.js';
import { forEachTest } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import {
  HostilePeer,
  type Mode,
  peerWith,
  sendJson,
} from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { mirrored, peerRow, sizeOf } from '../support/two-boards.js';
import {
  answers,
  changed,
  type Pulling,
  pullingPosts,
} from './scripted-peer.js';

const REPLAYS = FULL ? 10_000 : 20;

describe('rounds of the pull loop', () => {
  let scene: Pulling;
  let b: TestBoard;
  let peer: HostilePeer;
  let log: ScriptedLog;

  forEachTest(pullingPosts, (made) => {
    scene = made;
    ({ b, peer, log } = made);
  });

  it('stores nothing of a page that does not prove itself (F7)', async () => {
    const huge = 2 ** 53;
    const lies: [string, Mode][] = [
      ['feed_corrupt', changed(log, (page) => ({ ...page, from: 1, to: 4 }))],
      ['feed_corrupt', changed(log, (page) => ({ ...page, to: 99 }))],
      ['feed_corrupt', changed(log, (page) => ({ ...page, to: huge }))],
      ['feed_corrupt', changed(log, (page) => ({ ...page, entries: [] }))],
      [
        'feed_corrupt',
        changed(log, (page) => ({ ...page, to: 0, entries: [] })),
      ],
      ['feed_corrupt', changed(log, () => ({ protocol: 'reserve-mesh/2' }))],
      ['feed_corrupt', changed(log, () => null)],
      [
        'feed_corrupt',
        changed(log, (page) => ({
          ...page,
          entries: [...page.entries].reverse(),
        })),
      ],
      [
        'feed_corrupt',
        changed(log, (page) => ({
          ...page,
          entries: page.entries.map(({ leaf }) => ({ leaf: `${leaf} ` })),
        })),
      ],
      [
        'bad_checkpoint',
        changed(log, (page) => ({ ...page, origin: 'x.example/log' })),
      ],
      [
        'bad_checkpoint',
        changed(log, (page) => ({ ...page, checkpoint: 'none' })),
      ],
      [
        'bad_checkpoint',
        changed(log, (page) => {
          const stranger = new ScriptedLog('board-c.example', 1);
          return { ...page, checkpoint: stranger.head() };
        }),
      ],
      ['http_500', answers({}, 500)],
      ['http_404', answers({}, 404)],
      ['redirected', answers({}, 302)],
    ];
    const originId = await peerWith(b, peer, 'mirror', { status: 'paused' });
    await b.board.context.writes.query(
      `UPDATE peer SET status = 'active' WHERE origin_id = $1`,
      [originId],
    );
    for (const [code, mode] of lies) {
      peer.mode = mode;
      await b.board.context.writes.query(
        `UPDATE peer SET last_error_code = NULL, degraded_until = NULL,
           degraded_reason = NULL WHERE origin_id = $1`,
        [originId],
      );
      await scene.retryNow(originId);
      await scene.failedWith(originId, code);
      expect(await sizeOf(b, originId)).to.equal(0);
      const { degraded_reason: reason } = await peerRow(b, originId);
      const corrupt = code === 'feed_corrupt' ? code : null;
      expect(reason).to.equal(corrupt);
    }
    await recordFaults({ test: 'F7', faults: lies.length });
    const stored = await b.board.context.reads.query(
      `SELECT FROM log_entry WHERE origin_id = $1
       UNION ALL SELECT FROM mirror_message WHERE origin_id = $1`,
      [originId],
    );
    expect(stored).to.have.length(0);
    peer.mode = () => false;
    await scene.retryNow(originId);
    await scene.caughtUp(originId);
    expect(await peerRow(b, originId)).to.include({
      failures: 0,
      last_error_code: null,
    });
  });

  it('backs off from 2 s, doubled, to an hour, and keeps that in the row', async () => {
    const caps = [1, 2, 3, 10, 11, 12, 99].map((n) => backoffMs(n, () => 1));
    const hour = 3_600_000;
    expect(caps).to.eql([2000, 4000, 8000, 1_024_000, 2_048_000, hour, hour]);
    expect(backoffMs(5, () => 0)).to.be.greaterThan(0);
    peer.mode = answers({}, 500);
    const originId = await peerWith(b, peer);
    await scene.failedWith(originId, 'http_500');
    await b.restart();
    const asked = peer.feeds;
    const { retry_at: at } = await peerRow(b, originId);
    expect(at).to.be.within(b.clock.now(), b.clock.now() + 4000);
    expect(peer.feeds - asked).to.be.lessThan(2);
  });

  it('stores what is sent again, or by five peers, once (F9)', async () => {
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
    const again = [1, 2, 3, 4].map((n) => new ScriptedLog(`m${n}.example`, 5));
    for (const copy of again) {
      for (const leaf of log.leaves) copy.leaf(leaf);
      const other = await HostilePeer.start(copy);
      scene.others.push(other);
      const id = await peerWith(b, other);
      await until('its log', async () => (await sizeOf(b, id)) === copy.size);
      const posts = await mirrored(b, id);
      expect(new Set(posts.map(({ fault }) => fault))).to.eql(
        new Set(['wrong_board']),
      );
    }
    const posts = await mirrored(b, originId);
    expect(posts).to.have.length(43);
    const [events] = await b.board.context.reads.query<{ n: number }>(
      'SELECT count(*) AS n FROM mirror_update',
    );
    expect(events?.n).to.equal(43);
    await recordFaults({ test: 'F9', faults: REPLAYS + again.length });
  });

  it('stores nothing of a peer that is not confirmed and active (F16)', async () => {
    const idle = ['pending', 'paused', 'quarantined', 'blocked'] as const;
    const logs = idle.map((status) => new ScriptedLog(`${status}.example`, 5));
    for (const [at, status] of idle.entries()) {
      const one = logs[at];
      if (one === undefined) throw new Error('no log');
      one.post();
      const other = await HostilePeer.start(one);
      scene.others.push(other);
      await peerWith(b, other, 'mirror', { status });
    }
    const keyChanged = new ScriptedLog('changed.example', 5);
    keyChanged.post();
    const other = await HostilePeer.start(keyChanged);
    scene.others.push(other);
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
    const rows = await b.board.context.reads.query<{ origin_id: number }>(
      'SELECT DISTINCT origin_id FROM log_entry WHERE origin_id > 0',
    );
    expect(rows.map((row) => row.origin_id)).to.eql([originId]);
    for (const one of scene.others.slice(0, 4)) {
      expect((one as HostilePeer).feeds).to.equal(0);
    }
  });

  it('asks nobody twice a second who does not wait', async () => {
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
    await until('five more rounds', () => asked.length >= before + 5);
    // Half a second apart at least, however long each of them took.
    const [first = 0, , , , last = 0] = asked.slice(before);
    expect(last - first).to.be.greaterThan(4 * 450);
  });
});
