import { recordFaults, recordNotRun } from '../../faults/report.js';
import type { Ended } from '../../server/cli/command.js';
import { FULL } from '../../support/full.js';
import { publish } from '../../support/post.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { until } from '../../support/until.js';
import { logVkeyOf } from '../peers/node-on-port.js';
import { onFullDisk } from './full-disk.js';
import { commandsOf } from './runbook.js';
import { givenScene, json } from './scene.js';

const KILLS = 20;
const TEXTS = 5;
const MESSAGES = 500;
/** Bytes that are left: from too few for a start to enough for a part. */
const LEFT = [0, 262_144, 4_194_304, 33_554_432];

/** A15: commands killed, twice at once, beside a node, and on a full disk. */
if (FULL) {
  describe('commands of docs/recover.md at their worst', () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    const { scene, lost, b } = givenScene(MESSAGES);

    before(async () => {
      await lost.run('peer', 'trust', nameOfB(), '--content', 'all');
      for (let text = 0; text < TEXTS; text += 1) {
        await publish(b, { body: `Text ${text} of B.` });
      }
      await copied();
    });

    const nameOfB = () => scene.b.board.context.board.name;

    /** What the board knows of B; undefined once it is forgotten. */
    async function known() {
      const { stdout } = await scene.lost.run('peer', 'list', '--json');
      const peers = JSON.parse(stdout);
      return peers.find(({ name }: { name: string }) => name === nameOfB());
    }

    async function copied(): Promise<void> {
      const of = encodeURIComponent(nameOfB());
      const address = `${scene.lost.url}/api/mesh/boards/${of}/updates?since=0`;
      await until('the texts of B', async () => {
        const { data = [] } = await json(address);
        return data.length === TEXTS;
      });
    }

    const both = (args: readonly string[]) =>
      Promise.all([scene.lost.tried(args), scene.lost.tried(args)]);

    /** One did it; the other did too, or says in a sentence why not. */
    function oneDid(ended: readonly Ended[], why: RegExp): void {
      const said = ended.map(({ stderr }) => stderr).join('\n');
      expect(
        ended.map(({ code }) => code),
        said,
      ).to.include(0);
      for (const { code, stderr } of ended) {
        expect(stderr).not.to.match(/\n\s+at /);
        if (code !== 0) expect(stderr).to.match(why);
      }
    }

    async function addAgain(): Promise<void> {
      const terms = ['--confirm', logVkeyOf(b), '--content', 'all'];
      await lost.run('peer', 'add', b.url, ...terms);
      expect((await known()).status).to.equal('active');
      await copied();
    }

    it(`forget a peer whole or not at all, killed ${KILLS} times`, async () => {
      let forgotten = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const forget = ['peer', 'forget', nameOfB(), '--yes'];
        await scene.lost.killed(forget, 100 * 100 ** random());
        if ((await known()) === undefined) forgotten += 1;
        else await copied();
        if (kill % 2 === 0 && (await known()) !== undefined) {
          await scene.lost.run(...forget);
        }
        if ((await known()) === undefined) await addAgain();
      }
      console.log(`      ${forgotten} of ${KILLS} had forgotten it`);
      await recordFaults({ test: 'A15 peer forget', seed, faults: KILLS });
    });

    it('forget a peer once', async () => {
      const ended = await both(['peer', 'forget', nameOfB(), '--yes']);
      oneDid(ended, /forgotten meanwhile|no peer|is not a peer/i);
      expect(await known()).to.equal(undefined);
      await addAgain();
    });

    it('restore one backup, and nothing beside a node', async () => {
      await scene.stopMirrored();
      await lost.lose(true);
      const lines = commandsOf('backup-and-seed');
      await lost.follow(lines.slice(0, 4), b.url);
      oneDid(await both(['restore', lost.backup]), /already|another/i);
      oneDid(await both(['log', 'restore', '--from', b.url]), /Another/);
      await lost.start();
      await scene.expectBack('After two restores at once.');
      const beside = await lost.tried(['restore', lost.backup]);
      expect(beside.code).to.equal(1);
      expect(beside.stderr).to.include('already');
      await lost.run('log', 'restore', '--from', b.url);
      const begin = await lost.tried(['log', 'new-generation', '--yes']);
      expect(begin.code).to.equal(1);
      expect(begin.stderr).to.include('A node runs on');
      await scene.expectBack('Beside a node.');
      await recordFaults({ test: 'A15 at once', seed, faults: 6 });
    });

    it('restore on a disk that fills under them', async () => {
      await scene.stopMirrored();
      let full = 0;
      for (const args of [
        ['log', 'restore', '--from', b.url],
        ['restore', lost.backup],
      ]) {
        for (const left of LEFT) {
          const isFull = await onFullDisk(lost, args, left);
          if (isFull === null) {
            return await recordNotRun('A15 disk', 'it may not mount');
          }
          console.log(`      ${args[0]}, ${left} bytes left: ${isFull}`);
          if (isFull) full += 1;
        }
      }
      expect(full).to.be.at.least(4);
      await recordFaults({ test: 'A15 disk', seed, faults: full });
    });

    it('begin one generation under one new seed', async () => {
      await lost.lose(false);
      await lost.follow(commandsOf('peers-only').slice(0, 3), b.url);
      const begin = ['log', 'new-generation', '--from', b.url, '--yes'];
      oneDid(
        await both([...begin, '--new-seed']),
        /meanwhile|leave the option out|another/i,
      );
      await lost.start();
      const { origin } = (await json(`${lost.url}/api/mesh`)).log;
      expect(origin).to.equal(`${lost.name}/log2`);
      const confirm = await scene.vkey();
      for (const { board } of [b, scene.c]) {
        await board.peerAdmin.add(lost.url, { confirm });
      }
      await scene.expectBack('Under one new seed.');
      await recordFaults({ test: 'A15 new generation', seed, faults: 1 });
    });
  });
}
