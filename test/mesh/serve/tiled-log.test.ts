import { expect } from 'chai';
import { utf8 } from '../../../protocol/bytes.js';
import { newAgent } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { given } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { until } from '../../support/until.js';
import { HostilePeer, peerWith } from '../support/hostile-peer.js';
import { noise, ScriptedLog } from '../support/scripted-log.js';
import { meshBoard, peerUp, sizeOf } from '../support/two-boards.js';
import { type AuditReport, auditMirror } from './audit-log.js';

const ENTRIES = 600;

describe('a dead board, audited at its mirrors alone', () => {
  const { b, c, log, peer } = given(async () => {
    const b = await meshBoard('board-b.example', { limits: LIFTED });
    const c = await meshBoard('board-c.example', { limits: LIFTED });
    const log = new ScriptedLog('board-a.example', b.clock.now() - 1000);
    const peer = await HostilePeer.start(log);
    const stop = async () => {
      for (const one of [c, b, peer]) await one.stop();
    };
    return { b, c, log, peer, stop };
  });
  let atB: AuditReport;

  before(async () => {
    const at = b.clock.now() - 1000;
    log.entry({ type: 'board', at, embedded: log.identity(peer.url) });
    const agent = newAgent();
    log.key(agent);
    for (let n = 0; n < 40; n += 1) log.post({ agent });
    while (log.size < ENTRIES) {
      const evidence = noise(`entry ${log.size}`);
      const kind = 'equivocation';
      log.entry({
        type: 'evidence',
        at,
        origin: 'x.example/log',
        kind,
        evidence,
      });
    }
  });

  async function holds(test: TestBoard, originId: number): Promise<void> {
    await until(
      'the whole log',
      async () => (await sizeOf(test, originId)) === log.size,
    );
    await until('its cosigned head', async () => {
      const { body } = await test.as().get('/api/mesh');
      const of = body.peers.find(
        ({ origin }: { origin: string }) => origin === log.origin,
      );
      return of?.last_checkpoint?.includes(
        `— ${test.board.context.board.name}/mirror `,
      );
    });
  }

  const audited = (test: TestBoard) => ({
    baseUrl: test.url,
    origin: log.origin,
    logVkey: log.keys.log.vkey,
    cosigner: test.board.context.keys.mirror.vkey,
  });

  it('is a whole tiled log at the mirror that pulled it', async () => {
    await holds(b, await peerWith(b, peer));
    peer.mode = ({ res }) => {
      res.destroy();
      return true;
    };
    peer.wake();
    atB = await auditMirror(audited(b));
    expect(atB.size).to.equal(ENTRIES);
    expect(atB.leaves).to.eql(log.leaves);
    expect(atB.root).to.equal(Buffer.from(log.root()).toString('hex'));
    // Two full tiles and a partial one of hashes, one of the level above.
    expect(atB.tiles).to.be.at.least(10);
    expect(atB.proofs).to.equal(11);
  });

  it('is the same at a third board, which knew it from that mirror only', async () => {
    await peerUp(c, b);
    const originId = await peerWith(c, peer);
    await c.board.background.peers.witness.round();
    c.clock.advance(61_000);
    await c.board.context.writes.query(
      'UPDATE peer SET retry_at = NULL WHERE origin_id = $1',
      [originId],
    );
    await c.board.context.writes.query(`SELECT pg_notify('board_peers', '')`);
    await holds(c, originId);
    const atC = await auditMirror(audited(c));
    expect(atC).to.deep.equal(atB);
  });

  it('shows a lie of a mirror to whoever audits it', async () => {
    const leaf = utf8(`${log.leaves[5] ?? ''}x`);
    await c.board.context.writes.query(
      'UPDATE log_entry SET leaf = $1 WHERE origin_id > 0 AND idx = 5 AND leaf = $2',
      [Buffer.from(leaf), Buffer.from(utf8(log.leaves[5] ?? ''))],
    );
    const found = await auditMirror(audited(c)).catch((error) => error.message);
    expect(found).to.equal('root');
  });
});
