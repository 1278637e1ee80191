import { rm } from 'node:fs/promises';
import { newGeneration } from '../../../mesh/cli/log-new-generation.js';
import { restoreOwn } from '../../../mesh/cli/log-restore.js';
import type { Config } from '../../../server/config.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { headFile } from '../../../server/ledger/head-file.js';
import { given } from '../../support/hooks.js';
import { preview, publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { mirroredBoard, refusal } from '../support/mirrored-board.js';

describe('a database of an earlier generation without its head file', () => {
  const scene = given(mirroredBoard({ keepsDisk: true }));
  const { a, b, mirrored } = scene;
  let name: string;
  let backup: Config;
  let size: number;

  before(async () => {
    ({ name } = scene);
    const { dataDir } = a.board.context.config;
    await publish(a, { body: 'In the first log.' });
    size = await mirrored();
    await a.stop();
    backup = await scene.copy({ DATA_DIR: dataDir });
    await scene.nextGeneration();
    await publish(a, { body: 'In the second log.' });
    await mirrored();
    await a.stop();
    await rm(headFile(dataDir));
  });

  async function expectClosed(): Promise<void> {
    expect(a.board.context.guard.closed).to.include(`${name}/log2`);
    const { status, body } = await preview(a, {});
    expect([status, body.error]).to.deep.equal([503, 'log_guard']);
  }

  it('takes no writes where a mirror holds a later generation', async () => {
    await scene.start(backup);
    await expectClosed();
    const { text } = await a.as().get('/log/checkpoint');
    expect(Number(text.split('\n')[1])).to.equal(size);
    await a.board.context.guard.check();
    await expectClosed();
  });

  it('is noticed once a mirror that was silent is heard', async () => {
    const { baseUrl } = await rows(a).findOneByOrFail(Peer, {});
    const away = { baseUrl: 'http://127.0.0.1:9', retryAt: null };
    await rows(a).updateAll(Peer, away);
    await a.restart();
    expect(a.board.context.guard.closed).to.equal(null);
    await rows(a).updateAll(Peer, { baseUrl });
    await a.board.background.peers.witness.round();
    await expectClosed();
  });

  it('believes nobody who only says so', async () => {
    const { originId } = await rows(b).findOneByOrFail(Peer, {});
    const says = (origin: string) =>
      rows(b).update(Peer, { originId }, { origin });
    const before = a.board.context.guard.check(); // asks while it says the other
    await says(`${name}/log7`);
    await a.board.context.guard.check();
    await before;
    expect(a.board.context.guard.closed).to.equal(null);
    await a.board.background.peers.witness.round();
    expect(a.board.context.guard.closed).to.equal(null);
    await says(`${name}/log2`);
    await a.board.context.guard.check();
    await expectClosed();
  });

  it('goes on by a generation later than both', async () => {
    const { config } = a.board.context;
    expect(await refusal(restoreOwn(config, []))).to.include(
      'a later generation',
    );
    await a.stop();
    const report = await newGeneration(config, { clock: a.clock });
    expect(report.origin).to.equal(`${name}/log3`);
    await scene.start();
    expect(a.board.context.guard.closed).to.equal(null);
    const next = await publish(a, { body: 'In the third log.' });
    expect(next.message.id).to.equal(report.firstMessageId);
    expect(next.message.id).to.be.at.least(3);
  });
});
