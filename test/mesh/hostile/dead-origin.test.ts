import { expect } from 'chai';
import { mirrorPrefix } from '../../../mesh/pull/store/mirror-log.js';
import { givenEach } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import { type Mode, sendJson } from '../support/hostile-peer.js';
import { mirrored, peerRow } from '../support/two-boards.js';
import { hostileScene } from './scene.js';

describe('a dead log with lying mirrors', () => {
  const scene = givenEach(hostileScene);
  const { b } = scene;

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
