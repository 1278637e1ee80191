import { expect } from 'chai';
import { mirrorPrefix } from '../../../mesh/pull/store/mirror-log.js';
import { recordFaults } from '../../faults/report.js';
import type { TestBoard } from '../../support/board.js';
import { within } from '../../support/full.js';
import { forEachTest } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import {
  HostilePeer,
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
} from '../support/two-boards.js';
import {
  answers,
  hangUp,
  limits,
  type Pulling,
  pullingPosts,
} from './scripted-peer.js';

describe('rounds beside other peers', () => {
  let scene: Pulling;
  let b: TestBoard;
  let peer: HostilePeer;
  let log: ScriptedLog;

  forEachTest(pullingPosts, (made) => {
    scene = made;
    ({ b, peer, log } = made);
  });

  it('lets no bad peer slow another (F4)', async () => {
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
      const other = await HostilePeer.start(
        new ScriptedLog(`slow${at}.example`, 5),
      );
      scene.others.push(other);
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
    const originId = await peerWith(b, peer);
    await scene.caughtUp(originId);
    const mirror = await HostilePeer.start(
      new ScriptedLog('mirror.example', 5),
    );
    scene.others.push(mirror);
    mirror.mode = ({ path, query, res }) => {
      if (path !== `${mirrorPrefix(log.origin)}/feed`) return false;
      const from = Number(query.get('from'));
      sendJson(res, log.page(from, 2, query.get('content') ?? 'none'));
      return true;
    };
    const mirrorId = await peerWith(b, mirror);
    const document = JSON.stringify({ peers: [{ origin: log.origin }] });
    await b.board.context.writes.query(
      'UPDATE peer SET document = $2 WHERE origin_id = $1',
      [mirrorId, document],
    );
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
});
