import { FULL } from '../../support/full.js';
import { lossOf } from './losses.js';
import { commandsOf } from './runbook.js';
import { givenScene, json } from './scene.js';

describe('the other pages of docs/recover.md', () => {
  const { scene, lost, b } = givenScene();

  const follow = (page: string) => lost.follow(commandsOf(page), b.url);
  const said = () => lost.said.at(-1)?.stdout ?? '';
  const ready = async () => (await fetch(`${lost.url}/readyz`)).status;

  it('open writes after a wrong clock', async () => {
    await lossOf('clock').lose(scene);
    expect(await ready()).to.equal(503);
    await follow('clock');
    await scene.expectBack('After a wrong clock.');
  });

  it('look at the disk, beside the running node', async () => {
    await follow('disk');
    expect(said()).to.match(/disk/);
    expect(await ready()).to.equal(200);
  });

  it('bring back the last minutes from a peer', async () => {
    await lossOf('last-minutes').lose(scene);
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

  it('finish an upgrade', async () => {
    await lossOf('upgrade').lose(scene);
    await follow('upgrade');
    await scene.expectBack('After an upgrade.');
  });

  it('change a log key that leaked, signed by the old one', async () => {
    await lossOf('log-key-leaked').lose(scene);
    await follow('log-key-leaked');
    await b.board.background.peers.witness.round();
    const waiting = await b.board.peerAdmin.read(lost.name);
    expect(waiting.pending_identity_signed).to.equal(true);
    await scene.followed();
    await scene.expectBack('Under a rotated key.');
    const { log } = await json(`${lost.url}/api/mesh`);
    expect(log.origin).to.equal(`${lost.name}/log2`);
  });

  it('go on after the others have quarantined the board', async () => {
    await lossOf('quarantined').lose(scene);
    await follow('quarantined');
    expect(scene.all()).to.include('Nothing was changed. A new generation');
    await scene.followed();
    await scene.expectBack('After a quarantine.');
  });

  it('change a seed that leaked', async () => {
    await lossOf('seed-leaked').lose(scene);
    await follow('seed-leaked');
    await scene.followed();
    await scene.expectBack('Under another seed.');
  });

  it('begin again with nothing but the name', async () => {
    const { lose, after } = lossOf('name-only');
    await lose(scene);
    await follow('name-only');
    const { log_vkey } = await b.board.peerAdmin.read(lost.name);
    expect(log_vkey).not.to.equal(await scene.vkey());
    await after?.(scene);
    await scene.expectBack('The first text.');
  });
});
