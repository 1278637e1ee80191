import type { TestBoard } from '../../support/board.js';
import { until } from '../../support/until.js';
import { HostilePeer, peerWith } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { meshBoard } from '../support/two-boards.js';

const PEERS = 11;

describe('the rollback guard of a board with many peers', () => {
  let a: TestBoard;
  let peers: HostilePeer[];
  const warnings: string[] = [];
  const keep = ({ message }: Error) => warnings.push(message);

  beforeEach(async () => {
    process.on('warning', keep);
    a = await meshBoard('many.example');
    const names = Array.from({ length: PEERS }, (_, n) => `p${n}.example`);
    peers = await Promise.all(
      names.map((name) =>
        HostilePeer.start(new ScriptedLog(name, a.clock.now())),
      ),
    );
    for (const peer of peers) await peerWith(a, peer, 'proofs');
  });

  afterEach(async () => {
    process.off('warning', keep);
    await a.stop();
    await Promise.all(peers.map((peer) => peer.stop()));
  });

  it('asks them all at its start, and Node warns of no leak', async () => {
    await a.restart();
    for (const { asked, log } of peers) {
      await until(`the question to ${log.board}`, () =>
        asked.some((path) => /\/mirror\/.*\/checkpoint$/.test(path)),
      );
    }
    expect(warnings).to.deep.equal([]);
  });
});
