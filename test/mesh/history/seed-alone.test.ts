import path from 'node:path';
import { newGeneration } from '../../../mesh/cli/log-new-generation.js';
import { restoreOwn } from '../../../mesh/cli/log-restore.js';
import { peerCard } from '../../../mesh/cli/peer-text.js';
import { beginLater } from '../../../mesh/restore/find-restore-point.js';
import { boardKeys } from '../../../server/ledger/board-keys.js';
import { readManifest } from '../../../server/operations/backup/manifest.js';
import { restoreBackup } from '../../../server/operations/backup/restore-backup.js';
import { noteRestore } from '../../../server/operations/backup/restored-head.js';
import { writeBackup } from '../../../server/operations/backup/write-backup.js';
import { checkLedger } from '../../support/check-ledger.js';
import { givenEach } from '../../support/hooks.js';
import { preview, publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { logVkeyOf } from '../peers/node-on-port.js';
import { lengthen, mirroredBoard, refusal } from '../support/mirrored-board.js';

describe('a seed put back without its database', () => {
  const scene = givenEach(mirroredBoard());
  const { a, b, mirroredAgain } = scene;
  let name: string;

  beforeEach(async () => {
    ({ name } = scene);
    await publish(a, { body: 'Before the loss.' });
    await mirroredAgain();
  });

  async function startAlone(more: Record<string, string> = {}): Promise<void> {
    await a.stop();
    await scene.start(await scene.newDisk(), { LOG_BEGIN: '', ...more });
  }

  async function signatures(): Promise<unknown> {
    const [row] = await a.board.context.reads.query(
      `SELECT (SELECT count(*)::int FROM log_entry WHERE origin_id = 0) AS entries,
         (SELECT count(*)::int FROM log_checkpoint WHERE origin_id = 0) AS heads,
         (SELECT checkpoint || identity FROM log_state WHERE origin_id = 0)
           AS signed`,
    );
    return row;
  }

  async function expectClosed(): Promise<void> {
    const { status, body } = await preview(a, {});
    expect([status, body.error]).to.deep.equal([503, 'log_guard']);
    for (const command of [
      'log restore --from <peer>',
      'log new-generation',
      'log begin',
    ]) {
      expect(body.detail).to.include(command);
    }
    expect((await a.as().get('/readyz')).status).to.equal(503);
    for (const read of ['/log/checkpoint', '/log/feed?from=0', '/api/mesh']) {
      const answer = await a.as().get(read);
      expect([answer.status, answer.body.error], read).to.deep.equal([
        ...[503, 'log_guard'],
      ]);
    }
    expect((await a.as().get('/api/threads')).status).to.equal(200);
    expect(await signatures()).to.deep.equal({
      entries: 0,
      heads: 0,
      signed: '',
    });
  }

  it('signs nothing, is not ready, and no peer condemns the board', async () => {
    await startAlone();
    await expectClosed();
    await a.restart();
    await expectClosed();
    await b.board.background.peers.witness.round();
    const { body } = await b.as().get('/api/mesh');
    expect(body.evidence_count).to.equal(0);
    expect(body.peers[0].status).not.to.equal('quarantined');
  });

  it('is restored from a peer beside the running node, which opens writes', async () => {
    await startAlone();
    const report = await restoreOwn(a.board.context.config, [b.url]);
    expect(report.closed).to.equal(null);
    await a.board.context.guard.check();
    expect(a.board.context.guard.closed).to.equal(null);
    const next = await publish(a, { body: 'After the restore.' });
    expect(next.message.id).to.equal(2);
    await checkLedger(a);
    await mirroredAgain();
    const { body } = await b.as().get('/api/mesh');
    expect(body.evidence_count).to.equal(0);
  });

  it('takes no writes on a restore that was interrupted in another folder', async () => {
    await lengthen(a);
    await mirroredAgain();
    await startAlone();
    const { dataDir } = await scene.newDisk();
    const config = { ...a.board.context.config, dataDir };
    const killed = restoreOwn(config, [b.url], () => {
      throw new Error('killed after a page');
    });
    expect(await refusal(killed)).to.equal('killed after a page');
    const { guard } = a.board.context;
    await guard.check();
    expect(guard.closed).to.include('interrupted after 256 entries');
    expect((await a.as().get('/log/checkpoint')).status).to.equal(503);
    expect((await restoreOwn(config, [b.url])).closed).to.equal(null);
    await guard.check();
    expect(guard.closed).to.equal(null);
    await publish(a, { body: 'After the restore.' });
    await checkLedger(a);
  });

  it('begins no log, whatever LOG_BEGIN says, where a later one is recorded', async () => {
    await startAlone();
    const { context } = a.board;
    const later = `${name}/log2`;
    const seeds = { ...context.config, boardSeed: scene.env.BOARD_SEED ?? '' };
    await beginLater(context.writes, {
      board: name,
      origin: later,
      keys: boardKeys(seeds, name, later),
    });
    await a.stop();
    await scene.start();
    expect(a.board.context.board.origin).to.equal(later);
    expect((await preview(a, {})).body.error).to.equal('log_guard');
    expect(await signatures()).to.include({ entries: 0, signed: '' });
  });

  it('takes a backup in the closed state, which opens writes', async () => {
    const from = path.join((await scene.newDisk()).dataDir, 'backup');
    const { clock } = a;
    const sealed = { boardSeed: scene.env.BOARD_SEED ?? '', now: clock.now() };
    await writeBackup(a.board.context.writes, from, sealed);
    await startAlone();
    const { dataDir } = a.board.context.config;
    const { databaseUrl } = a;
    await a.stop();
    const manifest = await readManifest(from, sealed.boardSeed);
    const note = { noPeers: false, now: clock.now() };
    await restoreBackup({ url: databaseUrl }, from, manifest, {
      beforeCommit: () => noteRestore(dataDir, manifest, note),
    });
    await scene.start(undefined, { LOG_BEGIN: '' });
    expect(a.board.context.guard.closed).to.equal(null);
    const next = await publish(a, { body: 'After the backup.' });
    expect(next.message.id).to.equal(2);
    await checkLedger(a);
  });

  it('goes on as a new generation, which a peer that condemned the former log takes by one command', async () => {
    // Its operator begins the log a second time, against all advice.
    await startAlone({ LOG_BEGIN: '2026-01-15' });
    await publish(a, { body: 'Of a second history.' });
    await b.board.background.peers.witness.round();
    await until('quarantine', async () => {
      const { text } = await a.as().get('/log/checkpoint');
      const hint = { origin: `${name}/log`, size: text.split('\n')[1] };
      b.clock.advance(31_000);
      await b.as().post('/api/mesh/hint').send(hint);
      await b.board.background.peers.witness.round();
      return (await b.board.peerAdmin.read(name)).status === 'quarantined';
    });
    const { config } = a.board.context;
    const { clock } = a;
    await a.stop();
    const report = await newGeneration(config, { urls: [b.url], clock });
    expect(report.url).to.equal(scene.env.BASE_URL);
    await scene.start();
    const confirmed = await b.board.peerAdmin.confirm(name, logVkeyOf(a));
    expect(confirmed).to.include({ origin: `${name}/log2`, status: 'active' });
    await publish(a, { body: 'In the second log.' });
    await mirroredAgain();
  });

  it('goes on as a new generation from the closed state', async () => {
    await startAlone();
    const { config } = a.board.context;
    const { clock } = a;
    await a.stop();
    const report = await newGeneration(config, { urls: [b.url], clock });
    expect(report).to.include({ origin: `${name}/log2`, firstMessageId: 2 });
    await scene.start(undefined, { LOG_BEGIN: '' });
    expect(a.board.context.guard.closed).to.equal(null);
    const shown = await b.board.peerAdmin.add(a.url);
    expect(shown.pending_identity_signed).to.equal(true);
    expect(peerCard(shown)).to.include('signed by the key you confirmed:');
    expect(peerCard(shown)).not.to.include('NOT signed');
    await b.board.peerAdmin.add(a.url, { confirm: logVkeyOf(a) });
    const next = await publish(a, { body: 'In the second log.' });
    expect(next.message.id).to.equal(2);
    await mirroredAgain();
  });
});
