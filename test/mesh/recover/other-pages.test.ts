import { FULL } from '../../support/full.js';
import { lossOf } from './losses.js';
import { commandsOf } from './runbook.js';
import { givenScene, json } from './scene.js';

describe('the other pages of docs/recover.md', () => {
  const { scene, lost, b } = givenScene();

  async function follow(page: string) {
    await lossOf(page).lose(scene);
    await lost.follow(commandsOf(page), b.url);
    await lossOf(page).after?.(scene);
  }
  const said = () => lost.said.at(-1)?.stdout ?? '';
  const ready = async () => (await fetch(`${lost.url}/readyz`)).status;

  it('open writes after a wrong clock', async () => {
    await lossOf('clock').lose(scene);
    expect(await ready()).to.equal(503);
    await lost.follow(commandsOf('clock'), b.url);
    await scene.expectBack('After a wrong clock.');
  });

  it('look at the disk, beside the running node', async () => {
    await follow('disk');
    expect(said()).to.match(/disk/);
    expect(await ready()).to.equal(200);
  });

  it('bring back the last minutes from a peer', async () => {
    await follow('last-minutes');
    expect(said()).to.include('Writes are open');
    if (!FULL) {
      // A running node looks every 30 seconds, and a start at once.
      await lost.stop();
      await lost.start();
    }
    expect(await scene.bodies()).to.include('In the last minutes.');
    await scene.expectBack('After the last minutes.');
  });

  it('bring a board back whose folder is gone, with nothing to move', async () => {
    await lossOf('backup-and-seed').lose(scene);
    await lost.vanish();
    const lines = commandsOf('backup-and-seed');
    const left = lines.filter((line) => !line.startsWith('mv '));
    expect(left).to.have.length(lines.length - 1);
    await lost.follow(left, b.url);
    expect(await scene.bodies()).to.include('After the backup.');
    await scene.expectBack('Where nothing was left.');
  });

  it('change a log key that leaked, signed by the old one', async () => {
    await lossOf('log-key-leaked').lose(scene);
    await lost.follow(commandsOf('log-key-leaked'), b.url);
    await b.board.background.peers.witness.round();
    const waiting = await b.board.peerAdmin.read(lost.name);
    expect(waiting.pending_identity_signed).to.equal(true);
    await scene.followed();
    await scene.expectBack('Under a rotated key.');
    const { log } = await json(`${lost.url}/api/mesh`);
    expect(log.origin).to.equal(`${lost.name}/log2`);
  });

  const SAID = {
    upgrade: 'The schema was at head',
    quarantined: 'Nothing was changed. A new generation',
    'seed-leaked': 'goes on as',
  };
  for (const [page, says] of Object.entries(SAID)) {
    it(`bring the board back by "${page}"`, async () => {
      await follow(page);
      expect(scene.all()).to.include(says);
      await scene.expectBack(`After ${page}.`);
    });
  }

  it('begin again with nothing but the name', async () => {
    const { log_vkey } = await b.board.peerAdmin.read(lost.name);
    await follow('name-only');
    expect(await scene.vkey()).not.to.equal(log_vkey);
    await scene.expectBack('The first text.');
  });
});
