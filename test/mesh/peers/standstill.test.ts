import { peerTable } from '../../../mesh/cli/peer-text.js';
import { meshPeer } from '../../../mesh/peers/answers.js';
import { alertOperators } from '../../../mesh/witness/alert-operators.js';
import { readOverview } from '../../../server/dashboard/commands/overview.js';
import { nodeGauges } from '../../../server/dashboard/monitoring/gauges.js';
import { watchBoard } from '../../../server/dashboard/monitoring/watch-board.js';
import { Peer } from '../../../server/db/entities/peer.js';
import {
  type AlertKind,
  openAlerts,
} from '../../../server/operations/index.js';
import { TestClock } from '../../support/clock.js';
import { givenBoard } from '../../support/hooks.js';
import { rows } from '../../support/rows.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { confirmed } from '../support/two-boards.js';

const HOUR = 3_600_000;
const NOW = Date.now();
const URL = 'http://127.0.0.1:9';

/** A state of a linked board, and the alert that it is. */
type Case = { row: Partial<Peer>; alert: AlertKind | null };

/** Every status, and what is no status of its own. */
const CASES: Record<string, Case> = {
  active: { row: {}, alert: null },
  lagging: {
    row: { remoteSize: 9, remoteSeenAt: NOW - 2 * HOUR },
    alert: 'peer_standstill',
  },
  unreachable: {
    row: { failures: 3, lastSuccessAt: NOW - 2 * HOUR },
    alert: 'peer_unreachable',
  },
  degraded: { row: { degradedUntil: NOW + HOUR }, alert: 'peer_degraded' },
  quarantined: {
    row: { status: 'quarantined', statusReason: 'equivocation' },
    alert: 'equivocation',
  },
  log_ended: {
    row: { lastErrorCode: 'http_410', lastErrorAt: NOW },
    alert: 'peer_standstill',
  },
  unsupported_protocol: {
    row: { lastErrorCode: 'unsupported_protocol', lastErrorAt: NOW },
    alert: 'peer_standstill',
  },
  new_key: { row: {}, alert: 'peer_standstill' },
  // As an operator left it.
  pending: { row: { status: 'pending' }, alert: null },
  paused: { row: { status: 'paused' }, alert: null },
  blocked: { row: { status: 'blocked' }, alert: null },
};

describe('a mirror that does not grow', () => {
  const clock = new TestClock(NOW);
  const test = givenBoard({ clock, env: { ROLES: 'api' } });
  let sound: Peer;
  let next: string;

  before(async () => {
    const log = new ScriptedLog('board-a.example', NOW);
    next = log.nextIdentity(URL, 1);
    const facts = { name: log.board, origin: log.origin, url: URL };
    const identity = log.identity(URL);
    const { keys } = log;
    const originId = await confirmed(test, { ...facts, keys, identity });
    sound = await rows(test).findOneByOrFail(Peer, { originId });
  });

  it('has a case in the table for each status', () => {
    const statuses = meshPeer.shape.status.options;
    const all = [...statuses, 'new_key', 'log_ended', 'unsupported_protocol'];
    expect(Object.keys(CASES)).to.have.members(all);
  });

  it('names the settings where the node may not ask the address', async () => {
    const barred = { lastErrorCode: 'bad_url', lastErrorAt: NOW, failures: 3 };
    await rows(test).save(Peer, { ...sound, ...barred });
    const peers = await test.board.peerAdmin.list();
    expect(peerTable(peers)).to.match(/may not ask .* MESH_ALLOW_HTTP=on/);
    expect(peers[0]?.standstill?.next).to.include('MESH_ALLOW_PRIVATE=on');
  });

  for (const [reason, { row, alert }] of Object.entries(CASES)) {
    it(`is said by list, overview, metrics and alert: ${reason}`, async () => {
      const { context, peerAdmin } = test.board;
      const waiting = { pendingIdentity: reason === 'new_key' ? next : null };
      await rows(test).save(Peer, { ...sound, ...waiting, ...row });
      const peers = await peerAdmin.list();
      expect(peerTable(peers)).to.match(new RegExp(`^\\S+ +${reason} `, 'm'));
      const isWell = reason === 'active' || reason === 'blocked';
      const why = isWell ? null : reason;
      const overview = await readOverview({ ...context, peers: peerAdmin });
      expect(overview.peers[0]?.standstill).to.equal(why);
      const gauges = nodeGauges(context, peerAdmin, async () => null);
      const gauge = gauges.find(({ name }) => name === 'board_peer_pending');
      const samples = (await gauge?.read()) ?? [];
      expect(samples[0]?.labels.reason ?? null).to.equal(why);
      const lag = gauges.find(({ name }) => name === 'board_peer_lag_seconds');
      const isMeasured = reason === 'active' || row.remoteSize !== undefined;
      expect(await lag?.read()).to.have.length(isMeasured ? 1 : 0);
      expect(overview.peers[0]?.lag_ms === null).to.equal(!isMeasured);
      await alertOperators(context);
      await watchBoard(context, peerAdmin);
      const open = await openAlerts(context.reads);
      const kinds = open.map(({ kind }) => kind);
      expect(kinds).to.deep.equal(alert === null ? [] : [alert]);
    });
  }
});
