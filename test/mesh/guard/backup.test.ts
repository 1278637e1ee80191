import path from 'node:path';
import { restoreOwn } from '../../../mesh/cli/log-restore.js';
import { readManifest } from '../../../server/operations/backup/manifest.js';
import { restoreBackup } from '../../../server/operations/backup/restore-backup.js';
import { noteRestore } from '../../../server/operations/backup/restored-head.js';
import { writeBackup } from '../../../server/operations/backup/write-backup.js';
import { EmptySite } from '../../server/operations/backup/site.js';
import { checkLedger } from '../../support/check-ledger.js';
import { givenEach } from '../../support/hooks.js';
import { filled, preview, publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { mirroredBoard } from '../support/mirrored-board.js';

describe('a backup of a board with peers', () => {
  const scene = givenEach(mirroredBoard());
  const { a, b, mirrored } = scene;
  const site = givenEach(() => EmptySite.make());

  const seed = () => scene.env.BOARD_SEED ?? '';

  async function backup(): Promise<string> {
    const to = path.join((await scene.newDisk()).dataDir, 'one');
    const sealed = { boardSeed: seed(), now: a.clock.now() };
    await writeBackup(a.board.context.writes, to, sealed);
    return to;
  }

  async function restored(from: string, noPeers = false): Promise<void> {
    const now = a.clock.now();
    await a.stop();
    const manifest = await readManifest(from, seed());
    const beforeCommit = () =>
      noteRestore(site.dataDir, manifest, { noPeers, now });
    const options = { beforeCommit };
    await restoreBackup({ url: site.url }, from, manifest, options);
    await scene.start({ databaseUrl: site.url, dataDir: site.dataDir });
  }

  it('goes on from what its mirrors hold, with every receipt and mirror', async () => {
    await publish(b, { title: 'Of B', body: 'Mirrored by A.' });
    await publish(a, { title: 'Kept', body: 'In the backup.' });
    await until('A mirrors B', async () => {
      const { body } = await a.as().get('/api/mesh/search?q=Mirrored by A');
      return body.count === 1;
    });
    const from = await backup();
    const late = filled(await preview(a, { title: 'Late', body: 'After it.' }));
    const lost = await a.as().post('/write/publish').send(late);
    await mirrored();

    await restored(from);
    const { guard, config } = a.board.context;
    expect(guard.closed).to.include('the mirror of');
    const refused = await preview(a, {});
    expect([refused.status, refused.body.error]).to.deep.equal([
      ...[503, 'log_guard'],
    ]);
    const { body: kept } = await a.as().get('/api/mesh/search?q=Mirrored by A');
    expect(kept.count).to.equal(1);

    await restoreOwn(config, []);
    await guard.check();
    expect(guard.closed).to.equal(null);
    const again = await a.as().get(`/api/messages/${lost.body.message.id}`);
    expect(again.body.body).to.equal('After it.');
    const next = await publish(a, { title: 'Next', body: 'Goes on.' });
    expect(next.message.id).to.equal(lost.body.message.id + 1);
    await checkLedger(a);
    await publish(b, { title: 'Also', body: 'Mirrored again by A.' });
    await until('A pulls on', async () => {
      const { body } = await a.as().get('/api/mesh/search?q=Mirrored again');
      return body.count === 1;
    });
  });

  it('waits until one of its peers has answered', async () => {
    await publish(a, { title: 'Kept' });
    await mirrored();
    const from = await backup();
    await b.board.stop();
    await restored(from);
    const { guard } = a.board.context;
    expect(guard.closed).to.include('no peer has answered yet');
    await b.restart();
    await guard.check();
    expect(guard.closed).to.equal(null);
    await publish(a, { title: 'On' });
    await checkLedger(a);
  });

  it('waits for nobody when it is told so', async () => {
    await publish(a, { title: 'Kept' });
    const from = await backup();
    await b.board.stop();
    await restored(from, true);
    expect(a.board.context.guard.closed).to.equal(null);
    await publish(a, { title: 'On' });
    await checkLedger(a);
  });
});
