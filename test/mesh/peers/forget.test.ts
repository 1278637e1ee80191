import { doCommand } from '../../../server/dashboard/all-commands.js';
import { commandLine } from '../../../server/dashboard/command.js';
import { readOverview } from '../../../server/dashboard/commands/overview.js';
import { nodeGauges } from '../../../server/dashboard/monitoring/gauges.js';
import { ALERT_KINDS } from '../../../server/operations/alert-kinds.js';
import { openAlerts, raiseAlert } from '../../../server/operations/alerts.js';
import { publishSigned, register } from '../../support/agent.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { befriend, logVkeyOf, twoNodes } from './node-on-port.js';

const HOUR_MS = 3_600_000;
const OPERATOR = commandLine('Ops');

describe('a peer that is forgotten', () => {
  const { a, b } = given(twoNodes());
  let name: string;

  before(async () => {
    name = await befriend(a, b);
    await publishSigned(b, await register(b), { body: 'By an agent.' });
    await publish(b, { body: 'By a guest.' });
    await until('A keeps both texts', async () => {
      const held = await a.board.peerAdmin.holdings(name);
      return held.texts === 2;
    });
  });

  const own = () => ({ ...a.board.context, peers: a.board.peerAdmin });
  const ask = (...asked: [command: 'alert.settle', input: object]) =>
    doCommand(own(), OPERATOR, ...asked).catch((error) => error);
  const kinds = async () =>
    (await openAlerts(a.board.context.reads)).map(({ kind }) => kind);

  it('is counted first: what is only here, once it does not answer', async () => {
    const { peerAdmin } = a.board;
    const counts = { name, texts: 2, guests: 1 };
    const before = await peerAdmin.holdings(name);
    expect(before).to.deep.equal({ ...counts, only_here: 0 });
    await b.board.stop();
    a.clock.advance(2 * HOUR_MS);
    const lost = await peerAdmin.holdings(name);
    expect(lost).to.deep.equal({ ...counts, only_here: 2 });
    await a.board.context.writes.query('UPDATE peer SET failures = 1');
    const { peers, alerts } = await readOverview(own());
    expect(peers[0]).to.include({ status: 'unreachable', only_here: 2 });
    expect(alerts).to.deep.equal([]);
    await a.board.background.jobs.runOnce('watch');
    const [alert] = (await readOverview(own())).alerts;
    expect(alert).to.include({ name: 'peer_unreachable', subject: name });
    expect(alert?.next).to.include('peer forget');
    await b.restart();
  });

  it('leaves its key, its quarantine and the evidence for the next time', async () => {
    const { peerAdmin, context } = a.board;
    const key = logVkeyOf(b);
    await context.writes.query(
      "UPDATE peer SET status = 'quarantined', status_reason = 'rolled_back'",
    );
    await a.board.background.peers.witness.round();
    expect(await kinds()).to.include('rolled_back');
    const gone = await peerAdmin.forget(name);
    expect(gone).to.include({ name, texts: 2, guests: 1 });
    expect(await peerAdmin.list()).to.deep.equal([]);
    await a.board.background.peers.witness.round();
    expect(await kinds()).not.to.include('rolled_back');
    const [kept] = await context.reads.query(
      'SELECT (SELECT count(*)::int FROM mirror_message) AS texts, log_vkey FROM forgotten_peer',
    );
    expect(kept).to.deep.equal({ texts: 0, log_vkey: key });
    const again = await peerAdmin.add(b.url, { confirm: key });
    expect(again).to.include({
      status: 'quarantined',
      status_reason: 'rolled_back',
    });
    await peerAdmin.resume(name);
    await peerAdmin.forget(name);
  });

  it('is not taken back under another key without a word', async () => {
    const { peerAdmin, context } = a.board;
    const other = logVkeyOf(a);
    await context.writes.query('UPDATE forgotten_peer SET log_vkey = $1', [
      other,
    ]);
    const refused = await peerAdmin.add(b.url).catch((error) => error);
    expect(refused.code).to.equal('decision_conflict');
    expect(refused.detail).to.include('NOT the key you confirmed');
    expect(refused.detail).to.include(`--confirm '${logVkeyOf(b)}'`);
    await peerAdmin.add(b.url, { confirm: logVkeyOf(b) });
    expect((await peerAdmin.read(name)).status).to.equal('active');
  });

  it('settles an alert with a note, until it says something else', async () => {
    const { writes, reads, clock } = a.board.context;
    const alert = { kind: 'equivocation', subject: 'x.example/log' } as const;
    const raise = (detail: string) =>
      raiseAlert(writes, { ...alert, detail }, clock.now());
    await raise('Two histories.');
    const note = 'Asked them.';
    const settled = await ask('alert.settle', { ...alert, note });
    expect(settled).to.deep.equal(alert);
    await raise('Two histories.');
    expect(await kinds()).not.to.include('equivocation');
    const again = await ask('alert.settle', { ...alert, note });
    expect(again.code).to.equal('not_found');
    await raise('Three histories.');
    expect(await kinds()).to.include('equivocation');
    // No peer has that log: the next round ends it.
    await a.board.background.peers.witness.round();
    expect(await kinds()).not.to.include('equivocation');
    const [row] = await reads.query<{ after: string }>(
      "SELECT after FROM operator_audit WHERE action = 'alert.settle'",
    );
    expect(row?.after).to.include(note);
  });

  it('is one of the figures for Prometheus, with alerts of the same list', async () => {
    const { context, peerAdmin } = a.board;
    const end = context.clock.now() + 60_000;
    const gauges = nodeGauges(context, peerAdmin, () => Promise.resolve(end));
    const read = async (name: string) =>
      await gauges.find((gauge) => gauge.name === `board_${name}`)?.read();
    const alerts = await read('alerts');
    expect(alerts?.map(({ labels }) => labels.kind)).to.deep.equal(ALERT_KINDS);
    expect(await read('writes_closed')).to.deep.equal([
      { labels: {}, value: 0 },
    ]);
    expect(await read('peer_status')).to.deep.equal([
      { labels: { peer: name, status: 'active' }, value: 1 },
    ]);
    expect(await read('certificate_seconds_left')).to.deep.equal([
      { labels: {}, value: 60 },
    ]);
    expect(await read('backup_age_seconds')).to.deep.equal([]);
    const [disk] = (await read('disk_free_bytes')) ?? [];
    expect(disk?.value).to.be.above(0);
    for (const { read: one } of gauges) await one();
  });
});
