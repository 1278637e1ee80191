import { expect } from 'chai';
import { isPassed } from '../../../mesh/pull/store/pull-store.js';
import { forEachTest } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import { peerWith } from '../support/hostile-peer.js';
import { type Pulling, pullingPosts } from './scripted-peer.js';

describe('statistics of a mirrored log', () => {
  let scene: Pulling;

  forEachTest(pullingPosts, (made) => {
    scene = made;
  });

  it('are made when a backfill has made it large', async () => {
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

  it('are made again each time it has grown eightfold', () => {
    const sizes = [0, 256, 511, 512, 4095, 4096, 40_000, 262_144, 262_145];
    const steps = sizes
      .slice(1)
      .map((size, at) => isPassed(sizes[at] ?? 0, size));
    expect(steps).to.deep.equal([
      false,
      false,
      true,
      false,
      true,
      true,
      true,
      false,
    ]);
  });
});
