import { expect } from 'chai';
import { newGeneration } from '../../../mesh/cli/log-new-generation.js';
import { planOwn, restoreOwn } from '../../../mesh/cli/log-restore.js';
import { register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { copyDatabase, urlOf } from '../../support/cluster.js';
import { freePort } from '../../support/free-port.js';
import { preview, publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { befriend, nodeOnPort } from '../peers/node-on-port.js';
import { NewDisks } from '../support/new-disk.js';
import { withoutAnchors } from '../support/without-anchors.js';

/** Two nodes ran with one seed: the key signed two heads of the newest log. */
describe('recovery where two histories are signed', () => {
  let env: Record<string, string>;
  const disks = new NewDisks(() => env);
  let a: TestBoard;
  let b: TestBoard;
  let c: TestBoard;
  let name: string;

  const nameOf = (databaseUrl: string | null) =>
    new URL(databaseUrl ?? '').pathname.slice(1);

  /** B mirrors more entries, and C the higher ID. */
  before(async () => {
    const port = await freePort();
    env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
    env.BOARD_SEED = 'f4'.repeat(32);
    [b, c] = await Promise.all([nodeOnPort(), nodeOnPort()]);
    a = await nodeOnPort({ env });
    ({ name } = a.board.context.board);
    await withoutAnchors(a);
    for (const other of [b, c]) await befriend(other, a);
    await publish(a, { body: 'Before the second node.' });
    for (const other of [b, c]) await mirrored(a, other);
    const copy = await disks.make({ LOG_BEGIN: '' });
    await a.restart(async () => {
      const { databaseUrl } = copy;
      await copyDatabase(`${nameOf(databaseUrl)}_2`, nameOf(a.databaseUrl));
    });
    await c.board.peerAdmin.pause(name);
    await publish(a, { body: 'By the first node.' });
    for (let agent = 0; agent < 3; agent += 1) await register(a);
    await mirrored(a, b);
    await a.board.stop();
    await b.board.peerAdmin.pause(name);
    await c.board.peerAdmin.resume(name);
    const second = await nodeOnPort({
      env: { ...env, DATA_DIR: copy.dataDir, LOG_BEGIN: '' },
      databaseUrl: urlOf(`${nameOf(copy.databaseUrl)}_2`),
      clock: a.clock,
    });
    await publish(second, { body: 'By the second node.' });
    await publish(second, { body: 'By the second node, too.' });
    await mirrored(second, c);
    await second.stop();
  });

  after(async () => {
    for (const board of [a, b, c]) await board?.stop();
    await disks.drop();
  });

  async function mirrored(of: TestBoard, by: TestBoard): Promise<void> {
    const { log } = (await of.as().get('/api/mesh')).body;
    await until('a full mirror', async () => {
      by.clock.advance(31_000);
      await by.as().post('/api/mesh/hint').send(log);
      const peer = await by.board.peerAdmin.read(name);
      return peer.mirrored_size >= log.size;
    });
  }

  const refusal = (of: Promise<unknown>) =>
    of.then(
      () => '',
      (error: Error) => error.message,
    );

  it('refuses to choose one, in whatever order they are named', async () => {
    const config = await disks.make();
    for (const from of [
      [b.url, c.url],
      [c.url, b.url],
    ]) {
      for (const work of [planOwn, restoreOwn]) {
        const why = await refusal(work(config, from));
        expect(why).to.include('two histories of one log');
        expect(why).to.include(b.url).and.to.include(c.url);
        expect(why).to.include('log new-generation');
      }
    }
    const test = await nodeOnPort({
      databaseUrl: config.databaseUrl ?? '',
      env: { ...env, DATA_DIR: config.dataDir, LOG_BEGIN: '' },
    });
    expect((await preview(test, {})).status).to.equal(503);
    await test.stop();
  });

  it('begins a generation with an ID that neither has given', async () => {
    const from = [b.url, c.url];
    const made = await newGeneration(await disks.make(), { urls: from });
    expect(made).to.include({ origin: `${name}/log2`, firstMessageId: 4 });
    expect(made.past.witnessed).to.equal(true);
  });

  it('does so on the database of one of them, whose log is longer', async () => {
    const { config } = a.board.context;
    const made = await newGeneration(config, { urls: [c.url] });
    expect(made).to.include({ origin: `${name}/log2`, firstMessageId: 4 });
  });
});
