import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import { forEachTest } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import {
  type HostilePeer,
  peerWith,
  sendJson,
} from '../support/hostile-peer.js';
import type { ScriptedLog } from '../support/scripted-log.js';
import { peerRow, sizeOf } from '../support/two-boards.js';
import { type Pulling, pullingPosts } from './scripted-peer.js';

describe('what a round may take', () => {
  let scene: Pulling;
  let b: TestBoard;
  let peer: HostilePeer;
  let log: ScriptedLog;

  forEachTest(pullingPosts, (made) => {
    scene = made;
    ({ b, peer, log } = made);
  });

  it('quarantines a log that stays shorter for ten minutes', async () => {
    const originId = await peerWith(b, peer);
    await scene.caughtUp(originId);
    peer.mode = ({ path, res }) => {
      if (path !== '/log/feed') return false;
      sendJson(res, { ...log.page(0, 2), checkpoint: log.head(2) });
      return true;
    };
    peer.wake();
    await scene.failedWith(originId, 'rolled_back');
    expect((await peerRow(b, originId)).status).to.equal('active');
    b.clock.advance(600_001);
    await scene.retryNow(originId);
    await until('the quarantine', async () => {
      return (await peerRow(b, originId)).status === 'quarantined';
    });
    expect(await sizeOf(b, originId)).to.equal(log.size);
  });

  it("takes a day's quota of new entries and no more", async () => {
    for (let n = 0; n < 27; n += 1) log.post();
    const paused = { status: 'paused' } as const;
    const originId = await peerWith(b, peer, 'mirror', paused);
    await b.board.context.writes.query(
      `UPDATE peer SET entries_day = 20, status = 'active'
       WHERE origin_id = $1`,
      [originId],
    );
    await scene.failedWith(originId, 'quota');
    expect(await sizeOf(b, originId)).to.equal(20);
    const row = await peerRow(b, originId);
    expect(row.degraded_reason).to.equal('quota');
    b.clock.advance(86_400_000);
    await scene.retryNow(originId);
    await scene.caughtUp(originId);
  });

  it('gives a peer on probation a tenth', async () => {
    for (let n = 0; n < 27; n += 1) log.post();
    const originId = await peerWith(b, peer, 'mirror', {
      status: 'paused',
      probationUntil: b.clock.now() + 1000,
    });
    await b.board.context.writes.query(
      `UPDATE peer SET entries_day = 100, status = 'active'
       WHERE origin_id = $1`,
      [originId],
    );
    await scene.failedWith(originId, 'quota');
    expect(await sizeOf(b, originId)).to.equal(10);
    b.clock.advance(1001);
    await scene.retryNow(originId);
    await scene.caughtUp(originId);
  });

  /** A peer whose log of three is pulled, with a quota of its own. */
  async function limited(column: string, quota: number): Promise<number> {
    const originId = await peerWith(b, peer, 'mirror', { status: 'paused' });
    await b.board.context.writes.query(
      `UPDATE peer SET ${column} = $2, status = 'active' WHERE origin_id = $1`,
      [originId, quota],
    );
    await b.board.context.writes.query("SELECT pg_notify('board_peers', '')");
    await scene.caughtUp(originId);
    return originId;
  }

  it("takes a day's quota of texts by their bytes", async () => {
    const originId = await limited('content_bytes_day', 2000);
    log.post({ content: { body: 'x'.repeat(1990) } });
    peer.wake();
    await scene.failedWith(originId, 'quota');
    expect(await sizeOf(b, originId)).to.equal(3);
    b.clock.advance(86_400_000);
    await scene.retryNow(originId);
    await scene.caughtUp(originId);
  });

  it("takes an hour's quota of what is older than a day", async () => {
    b.clock.advance(2 * 86_400_000);
    const bytes = log.leaves.join('').length;
    const originId = await limited('backfill_bytes_hour', 2 * bytes);
    for (let n = 0; n < 3; n += 1) log.post();
    peer.wake();
    await scene.failedWith(originId, 'quota');
    expect(await sizeOf(b, originId)).to.equal(3);
    b.clock.advance(3_600_000);
    await scene.retryNow(originId);
    await scene.caughtUp(originId);
  });
});
