import { doCommand } from '../../../server/dashboard/all-commands.js';
import { commandLine } from '../../../server/dashboard/command.js';
import type { Mirror } from '../../../server/dashboard/commands/item.js';
import {
  type OpenAlert,
  openAlerts,
} from '../../../server/operations/alerts.js';
import { checkLedger } from '../../support/check-ledger.js';
import { TestClock } from '../../support/clock.js';
import { decideTo } from '../../support/decide.js';
import { givenEach } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { befriend, twoNodes } from '../peers/node-on-port.js';

const HOUR = 3_600_000;
const OPERATOR = commandLine('Ops');

describe('a removal that a mirror has not acknowledged', () => {
  const { a, b } = givenEach(async () => {
    const clock = new TestClock();
    const { stop, ...boards } = await twoNodes({ clock }, { clock })();
    const checked = () => checkLedger(boards.a).then(stop);
    return { ...boards, stop: checked };
  });
  let nameOfB: string;

  beforeEach(async () => {
    nameOfB = await befriend(a, b);
    await befriend(b, a);
    await publish(a, { body: 'To be removed.' });
    await until('B keeps it', async () => {
      const { body } = await a.as().get('/api/mesh');
      return body.peers[0]?.acked_size >= 2;
    });
  });

  async function mirror(): Promise<Mirror | undefined> {
    const asked = { subject: 'message:1', sealed: false };
    const context = { ...a.board.context, peers: null };
    const { mirrors } = await doCommand(context, OPERATOR, 'item.read', asked);
    return mirrors[0];
  }

  async function unacknowledged(): Promise<unknown> {
    const context = { ...a.board.context, peers: null };
    const { data } = await doCommand(
      context,
      OPERATOR,
      'peer.unacknowledged',
      {},
    );
    return data.map(({ board, removals, message_id }) => ({
      ...{ board, removals, message_id },
    }));
  }

  async function alarms(): Promise<OpenAlert[]> {
    a.clock.advance(60_000);
    await a.board.background.jobs.runOnce('watch');
    const open = await openAlerts(a.board.context.reads);
    return open.filter(({ kind }) => kind === 'removal_unacked');
  }

  it('raises an alarm after 24 hours, which ends with the acknowledgement', async () => {
    await b.board.stop();
    await decideTo.remove(a, 1);
    expect(await mirror()).to.include({ board: nameOfB, acknowledged: false });
    // The page shows at once what becomes an alarm after a day.
    expect(await unacknowledged()).to.deep.equal([
      { board: nameOfB, removals: 1, message_id: 1 },
    ]);
    expect(await alarms()).to.deep.equal([]);
    a.clock.advance(23 * HOUR);
    expect(await alarms()).to.deep.equal([]);
    a.clock.advance(HOUR);
    const [alarm, ...more] = await alarms();
    expect(alarm).to.include({ subject: nameOfB });
    expect(alarm?.detail).to.include('a removal (message 1');
    expect(more).to.deep.equal([]);
    await b.restart();
    await until(
      'B acknowledges',
      async () => (await mirror())?.acknowledged === true,
    );
    expect((await mirror())?.acked_at).to.be.a('number');
    expect(await unacknowledged()).to.deep.equal([]);
    expect(await alarms()).to.deep.equal([]);
  });

  it('raises none when the message came back meanwhile, or the peer is blocked', async () => {
    await b.board.stop();
    await decideTo.remove(a, 1);
    a.clock.advance(25 * HOUR);
    expect(await alarms()).to.have.length(1);
    await decideTo.reinstate(a, 1);
    expect(await alarms()).to.deep.equal([]);
    await decideTo.remove(a, 1);
    a.clock.advance(25 * HOUR);
    expect(await alarms()).to.have.length(1);
    await a.board.peerAdmin.block(nameOfB);
    expect(await alarms()).to.deep.equal([]);
    await b.restart();
  });
});
