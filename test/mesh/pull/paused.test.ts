import { lockWaits } from '../../support/database.js';
import { until } from '../../support/until.js';
import { peerWith } from '../support/hostile-peer.js';
import { peerRow, sizeOf } from '../support/two-boards.js';
import { givenPulling } from './scripted-peer.js';

describe('a peer that is paused', () => {
  const scene = givenPulling('posts');
  let originId: number;

  beforeEach(async () => {
    originId = await peerWith(scene.b, scene.peer);
    await scene.caughtUp(originId);
    await until('it waits for more', () => scene.peer.feeds >= 2);
  });

  const pause = () => scene.b.board.peerAdmin.pause(scene.log.board);

  /** How many statements about this peer wait for its row. */
  const waiting = () => lockWaits(scene.b.board.context.reads, '%peer%');

  it('is asked for nothing more until it is resumed', async () => {
    const { b, log, peer } = scene;
    const { mesh } = b.board.background.peers;
    expect((await pause()).status).to.equal('paused');
    const asked = peer.feeds;
    log.post();
    peer.wake();
    await until(
      'its worker ends or asks again',
      () => mesh.pulling === 0 || peer.feeds > asked,
    );
    // Whatever is told about peers makes every process look at them again.
    await scene.retryNow(originId);
    await b.board.background.peers.witness.round();
    expect(peer.feeds).to.equal(asked);
    expect(await sizeOf(b, originId)).to.equal(3);
    await b.board.peerAdmin.resume(log.board);
    await scene.caughtUp(originId);
    expect(await sizeOf(b, originId)).to.equal(4);
  });

  it('has no page stored that was under way when it was paused', async () => {
    const { b, log, peer } = scene;
    const { writes } = b.board.context;
    // No round of gossip stands in the line for the row.
    await b.board.background.peers.witness.stop();
    let paused: Promise<unknown> = Promise.resolve();
    await writes.transaction(async (tx) => {
      // First in the line for the row is the pause, second is the page.
      await tx.query('SELECT 1 FROM peer WHERE origin_id = $1 FOR UPDATE', [
        originId,
      ]);
      paused = pause();
      await until('the pause waits', async () => (await waiting()) === 1);
      log.post();
      peer.wake();
      await until('the page waits', async () => (await waiting()) === 2);
    });
    await paused;
    const { mesh } = b.board.background.peers;
    await until('its worker ends', () => mesh.pulling === 0);
    expect(await sizeOf(b, originId)).to.equal(3);
    expect((await peerRow(b, originId)).status).to.equal('paused');
    await b.board.peerAdmin.resume(log.board);
    await scene.caughtUp(originId);
  });
});
