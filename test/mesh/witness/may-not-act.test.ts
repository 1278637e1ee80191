import { recordFaults } from '../../faults/report.js';
import { until } from '../../support/until.js';
import { nodeOnPort } from '../peers/node-on-port.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { AT, fakeBoards } from './fake-boards.js';

const SEED = 'ab'.repeat(32);

describe('20 peers that may not act (F16)', () => {
  it('are asked for nothing, or believed nothing, and have nothing stored', async () => {
    const node = await nodeOnPort({ env: { ROLES: 'api' } });
    const fakes = await fakeBoards(20);
    try {
      for (const [at, board] of fakes.boards.entries()) {
        board.log.grow(6);
        const { peerAdmin } = node.board;
        const pending = at % 4 === 0;
        const options = pending ? {} : { confirm: board.logVkey };
        await peerAdmin.add(board.who.url, options);
        if (at % 4 === 1) await peerAdmin.pause(board.who.url);
        if (at % 4 === 2) await peerAdmin.block(board.who.url);
        // The same board under another key than the one that was confirmed.
        if (at % 4 === 3) {
          board.turn(new ScriptedLog(board.who.name, AT, SEED).grow(7));
        }
        board.asked.length = 0;
      }
      const changed = fakes.boards.filter((_, at) => at % 4 === 3);
      node.board.background.peers.mesh.start();
      await node.board.background.peers.witness.round();
      await until('changed keys found out', async () => {
        const rows = await node.board.context.reads.query(
          "SELECT FROM peer WHERE last_error_code = 'bad_checkpoint'",
        );
        return rows.length === changed.length;
      });
      for (const board of fakes.boards) {
        if (changed.includes(board)) continue;
        expect(board.asked).to.deep.equal([]);
        const { origin } = board.who;
        const hint = await node.post('/api/mesh/hint', { origin, size: 7 });
        expect(['unknown_origin', 'rate_limited']).to.include(hint.body.error);
      }
      const stored = await node.board.context.reads.query(
        'SELECT 1 FROM log_entry WHERE origin_id > 0',
      );
      expect(stored).to.have.length(0);
      await recordFaults({ test: 'F16', faults: fakes.boards.length });
    } finally {
      await node.stop();
      await fakes.stop();
    }
  });
});
