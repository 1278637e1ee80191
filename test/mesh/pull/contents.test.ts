import { expect } from 'chai';
import { newAgent } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { forEachTest } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import { type HostilePeer, peerWith } from '../support/hostile-peer.js';
import type { ScriptedLog } from '../support/scripted-log.js';
import { mirrored, peerRow } from '../support/two-boards.js';
import { type Pulling, pullingIdentified } from './scripted-peer.js';

describe('contents of a mirrored log', () => {
  let scene: Pulling;
  let b: TestBoard;
  let peer: HostilePeer;
  let log: ScriptedLog;

  forEachTest(pullingIdentified, (made) => {
    scene = made;
    ({ b, peer, log } = made);
  });

  async function pulled(options = {}): Promise<number> {
    const originId = await peerWith(b, peer, 'mirror', options);
    await scene.caughtUp(originId);
    return originId;
  }

  it('asks three times for a content, then calls it withheld', async () => {
    const first = log.post({ given: null });
    const swapped = log.post({
      given: { salt: 'AAAAAAAAAAAAAAAAAAAAAA==', name: 'x', body: 'other' },
    });
    log.contents.delete(first.index);
    const originId = await pulled();
    const asked = (index: number) =>
      peer.asked.filter((path) => path === `/log/content?index=${index}`);
    const tries = async () =>
      await b.board.context.reads.query<{ tries: number }>(
        `SELECT fetch_tries AS tries FROM mirror_message
         WHERE origin_id = $1`,
        [originId],
      );
    for (const n of [1, 2]) {
      // The next try is due by the clock at the moment this one is stored.
      await until(`try ${n}`, async () => {
        peer.wake(); // it may begin to wait after the clock has gone on
        return (await tries()).every((post) => post.tries === n);
      });
      expect(asked(first.index)).to.have.length(n);
      expect(asked(swapped.index)).to.have.length(n);
      b.clock.advance(10_000);
    }
    await until('both are withheld', async () => {
      peer.wake();
      const posts = await mirrored(b, originId);
      return posts.every(({ status }) => status === 'withheld');
    });
    const row = await peerRow(b, originId);
    expect(row).to.include({
      withheld_contents: 2,
      degraded_reason: 'withheld_content',
    });
    b.clock.advance(60_000);
    log.post();
    await scene.caughtUp(originId);
    expect(asked(first.index)).to.have.length(3);
    expect(asked(swapped.index)).to.have.length(3);
  });

  it('takes a content that comes later', async () => {
    const { index, id } = log.post();
    const given = log.contents.get(index);
    log.contents.delete(index);
    const originId = await pulled();
    log.contents.set(index, given);
    await until('the second try', async () => {
      b.clock.advance(5000);
      peer.wake();
      const posts = await mirrored(b, originId);
      return posts.some((post) => post.id === id && post.status === 'ok');
    });
    expect((await peerRow(b, originId)).withheld_contents).to.equal(0);
  });

  it('holds only what trust and content option ask for', async () => {
    const agent = newAgent();
    log.key(agent);
    log.post({ agent });
    log.post();
    const originId = await peerWith(b, peer, 'witness');
    await scene.caughtUp(originId);
    const statuses = async () =>
      (await mirrored(b, originId)).map(({ status }) => status).join(' ');
    expect(await statuses()).to.equal('bare bare');
    const set = async (columns: string) => {
      await b.board.context.writes.query(
        `UPDATE peer SET ${columns} WHERE origin_id = $1`,
        [originId],
      );
    };
    const become = async (wanted: string) => {
      await until(wanted, async () => (await statuses()) === wanted);
    };
    await set(`trust = 'mirror', content = 'signed'`);
    await become('ok bare');
    await set(`content = 'all'`);
    await become('ok ok');
    const updates = await b.board.context.reads.query(
      'SELECT seq, id FROM mirror_update WHERE origin_id = $1 ORDER BY seq',
      [originId],
    );
    expect(updates.map(({ id }) => id).sort()).to.eql([1, 2]);
    await set(`content = 'signed'`);
    await become('ok bare');
    await set(`trust = 'proofs'`);
    await become('bare bare');
    const found = await b.board.context.reads.query(
      'SELECT FROM mirror_search WHERE origin_id = $1',
      [originId],
    );
    expect(found).to.have.length(0);
  });
});
