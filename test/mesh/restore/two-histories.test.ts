import { newGeneration } from '../../../mesh/cli/log-new-generation.js';
import { planOwn, restoreOwn } from '../../../mesh/cli/log-restore.js';
import type { Config } from '../../../server/config.js';
import { register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { given } from '../../support/hooks.js';
import { preview, publish } from '../../support/post.js';
import { befriend } from '../peers/node-on-port.js';
import { mirroredBoard, refusal } from '../support/mirrored-board.js';

/** Two nodes ran with one seed: the key signed two heads of the newest log. */
describe('recovery where two histories are signed', () => {
  const scene = given(mirroredBoard({ keepsDisk: true, befriended: false }));
  const { a, b } = scene;
  let name: string;
  let c: TestBoard;
  let first: Config;

  /** B mirrors more entries, and C the higher ID. */
  before(async () => {
    ({ name } = scene);
    c = await scene.joined();
    for (const other of [b, c]) await befriend(other, a);
    await publish(a, { body: 'Before the second node.' });
    for (const other of [b, c]) await scene.mirroredAgain(other);
    first = a.board.context.config;
    await a.stop();
    const second = await scene.copy();
    await scene.start();
    await c.board.peerAdmin.pause(name);
    await publish(a, { body: 'By the first node.' });
    for (let agent = 0; agent < 3; agent += 1) await register(a);
    await scene.mirroredAgain(b);
    await a.stop();
    await b.board.peerAdmin.pause(name);
    await c.board.peerAdmin.resume(name);
    await scene.start(second, { LOG_BEGIN: '' });
    await publish(a, { body: 'By the second node.' });
    await publish(a, { body: 'By the second node, too.' });
    await scene.mirroredAgain(c);
    await a.stop();
  });

  it('refuses to choose one, in whatever order they are named', async () => {
    const config = await scene.newDisk();
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
    await scene.start(config, { LOG_BEGIN: '' });
    expect((await preview(a, {})).status).to.equal(503);
    await a.stop();
  });

  it('begins a generation with an ID that neither has given', async () => {
    const from = [b.url, c.url];
    const made = await newGeneration(await scene.newDisk(), { urls: from });
    expect(made).to.include({ origin: `${name}/log2`, firstMessageId: 4 });
    expect(made.past.witnessed).to.equal(true);
  });

  it('does so on the database of one of them, whose log is longer', async () => {
    const made = await newGeneration(first, { urls: [c.url] });
    expect(made).to.include({ origin: `${name}/log2`, firstMessageId: 4 });
  });
});
