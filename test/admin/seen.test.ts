import { settingsOf } from '../../mesh/peer-port.js';
import { Operator } from '../../server/db/entities/operator.js';
import { raiseAlert } from '../../server/operations/alerts.js';
import { addPeer, startNode } from '../mesh/boards/support/linked.js';
import { givenBoard } from '../support/hooks.js';
import { rows } from '../support/rows.js';
import { device } from './access-link.js';

const PEER = { board: 'grove.example' };
const ALARM = { kind: 'disk_low', subject: 'here' } as const;

/** spec/operators.md §2.6 */
describe('What has changed since an operator saw it', () => {
  const test = givenBoard({ lifted: true });
  let ada: Awaited<ReturnType<typeof device>>;
  let carl = '';
  let policy: object;
  let n = 0;

  const other = () => (++n % 2 ? 'moderator' : 'viewer');
  const give = async (path: string, body: object = {}) =>
    (await ada.post(path, body)).body;

  before(async () => {
    const node = await startNode(PEER.board);
    await addPeer(test, node);
    await node.stop();
    ada = await device(test, 'admin');
    carl = `/operators/${(await device(test, 'viewer', 'carl')).operatorId}`;
    policy = await give('/do/peer.policy_export');
  });

  const peer = {
    shown: async () => settingsOf(await give('/do/peer.read', PEER)),
    change: () => give('/do/peer.limits', { ...PEER, entries_day: ++n }),
  };
  const differences = {
    ...peer,
    shown: () => give('/do/peer.policy_import', { policy }),
  };
  const account = {
    shown: async () => {
      const it = await rows(test).findOneBy(Operator, { name: 'carl' });
      return it && { role: it.role, state: it.state };
    },
    change: () => give(`${carl}/role`, { role: other() }),
  };
  const link = {
    shown: async () => {
      const { role, expires_at } = (await ada.get('/operators')).body
        .invites[0];
      return { role, expires_at };
    },
    change: () => give('/operators/invite', { name: 'dora', role: other() }),
  };
  const alert = {
    shown: async () => (await give('/do/overview.read')).alerts[0]?.detail,
    change: () => {
      const { writes } = test.board.context;
      const it = { ...ALARM, detail: `${++n} MB are used.` };
      return raiseAlert(writes, it, test.clock.now());
    },
  };

  for (const [what, path, more] of [
    [peer, '/do/peer.limits', { ...PEER, backfill_bytes_hour: 5 }],
    [peer, '/do/peer.resume', PEER],
    [differences, '/do/peer.policy_import', { apply: true }],
    [peer, '/do/peer.block', PEER],
    [peer, '/do/peer.forget', PEER],
    [account, '/role', { role: 'admin' }],
    [account, '/disable', {}],
    [account, '/enable', {}],
    [link, '/operators/invites/dora/cancel', {}],
    [link, '/operators/invite', { name: 'dora', role: 'admin' }],
    [alert, '/do/alert.settle', { ...ALARM, note: 'There is room.' }],
  ] as const) {
    it(`stays as it is, and is shown, at ${path}`, async () => {
      const at = what === account ? `${carl}${path}` : path;
      const mine = (seen: unknown) =>
        ada.post(at, {
          ...more,
          ...(what === differences && { policy }),
          seen,
        });
      await what.change();
      const seen = await what.shown();
      await what.change();
      const { status, body } = await mine(seen);
      const now = await what.shown();
      expect([status, body.error]).to.deep.equal([409, 'decision_conflict']);
      expect(body.detail).to.match(/^This .* has changed meanwhile; look/);
      expect(body.current).to.deep.equal(now).and.not.deep.equal(seen);
      expect((await mine(now)).status).to.be.oneOf([200, 201]);
    });
  }
});
