import { expect } from 'chai';
import { forEachTest } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import { peerWith } from '../support/hostile-peer.js';
import { peerRow } from '../support/two-boards.js';
import { answers, type Pulling, pullingPosts } from './scripted-peer.js';

describe('a peer whose back-off ends', () => {
  let scene: Pulling;

  forEachTest(pullingPosts, (made) => {
    scene = made;
  });

  it('is asked at once, though its worker had just read the row', async () => {
    const { b, log, peer } = scene;
    const { context, background } = b.board;
    const originId = await peerWith(b, peer);
    await scene.caughtUp(originId);
    peer.mode = answers({}, 500);
    peer.wake();
    await scene.failedWith(originId, 'http_500');
    log.post();
    await context.writes.transaction(async (tx) => {
      // Another wish for texts starts the worker anew, and its first deed
      // stands in the line for this table with the row in its hand.
      await tx.query('LOCK TABLE mirror_message IN ACCESS EXCLUSIVE MODE');
      await context.writes.query(
        "UPDATE peer SET content = 'signed' WHERE origin_id = $1",
        [originId],
      );
      await context.writes.query("SELECT pg_notify('board_peers', '')");
      await until('the worker waits', async () => {
        const rows = await context.reads.query(
          `SELECT 1 FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE 'UPDATE mirror_message%'`,
        );
        return rows.length === 1;
      });
      peer.mode = () => false;
      const told = context.events.subscribe('peers');
      await scene.retryNow(originId);
      await told.woken;
    });
    await scene.caughtUp(originId);
    expect((await peerRow(b, originId)).failures).to.equal(0);
    expect(background.mesh.pulling).to.equal(1);
  });
});
