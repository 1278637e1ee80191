import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { peerTable } from '../../../mesh/cli/peer-text.js';
import { rotateKey, rotateLogKey } from '../../../mesh/cli/rotate-keys.js';
import { parseLogOrigin } from '../../../protocol/board-name.js';
import { openIdentity } from '../../../protocol/identity.js';
import { formatVkey } from '../../../protocol/vkey.js';
import type { Config } from '../../../server/config.js';
import { watchBoard } from '../../../server/dashboard/monitoring/watch-board.js';
import { Message } from '../../../server/db/entities/message.js';
import { OperatorAudit } from '../../../server/db/entities/operator-session.js';
import {
  endRotation,
  keysFolder,
  rotatedKeys,
} from '../../../server/ledger/rotated-keys.js';
import { openAlerts } from '../../../server/operations/index.js';
import { recordFaults } from '../../faults/report.js';
import { command, ended, launched } from '../../server/cli/command.js';
import { TestClock } from '../../support/clock.js';
import { FULL } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { logVkeyOf } from '../peers/node-on-port.js';
import { mirroredBoard } from '../support/mirrored-board.js';

const KILLS = FULL ? 20 : 1;
const NEW_GENERATION = ['log', 'new-generation', '--json', '--yes'];

/** spec/board.md §16.29: a planned change of keys, which peers can follow. */
describe('reserve-board keys rotate', () => {
  const clock = () => new TestClock(Date.now());
  const scene = given(mirroredBoard({ keepsDisk: true, clock }));
  const { a, b, start, settings } = scene;
  let name: string;
  let config: Config;

  before(async () => {
    ({ name } = scene);
    ({ config } = a.board.context);
    await publish(a, { body: 'Under the first keys.' });
    await mirrored();
  });

  const run = (args: string[], more: Record<string, string> = {}) =>
    command(args, settings(more));

  const generationOf = (stdout: string) =>
    parseLogOrigin(JSON.parse(stdout).origin)?.generation ?? 0;

  const seen = () => b.board.peerAdmin.read(name);

  async function mirrored(): Promise<void> {
    await scene.mirroredAgain();
    expect((await seen()).evidence).to.deep.equal([]);
  }

  it('gives node and mirror new keys, which peers take by themselves', async () => {
    const before = a.board.context.keys;
    await a.stop();
    await rotateKey(config, 'mirror');
    await rotateKey(config, 'node');
    for (const file of await readdir(keysFolder(config.dataDir))) {
      const { mode } = await stat(path.join(keysFolder(config.dataDir), file));
      expect(mode & 0o777, file).to.equal(0o600);
    }
    await start();
    const { keys } = a.board.context;
    expect(logVkeyOf(a)).to.equal(formatVkey(before.log.vkey));
    for (const use of ['mirror', 'node'] as const) {
      expect(formatVkey(keys[use].vkey)).not.to.equal(
        formatVkey(before[use].vkey),
      );
    }
    await b.board.background.peers.witness.round();
    const peer = await seen();
    const identity = openIdentity(peer.identity);
    expect(identity.ok && identity.value).to.include({
      seq: 1,
      mirror: formatVkey(keys.mirror.vkey),
      node: formatVkey(keys.node.vkey),
    });
    expect(peer.pending_identity).to.equal(null);
    await publish(a, { body: 'Under other keys of node and mirror.' });
    await mirrored();
    const audit = await rows(a).find(OperatorAudit, {
      where: { action: 'keys.rotate' },
      order: { id: 'ASC' },
    });
    expect(audit.map(({ subject }) => subject)).to.deep.equal([
      'key:mirror',
      'key:node',
    ]);
  });

  it('is refused beside a node, under a setting, and with a damaged file', async () => {
    const beside = await run(['keys', 'rotate', '--key', 'log', '--yes']);
    expect([beside.code, beside.stderr]).to.deep.include(1);
    expect(beside.stderr).to.include('A node runs on this database');
    await a.stop();
    for (const [key, setting] of [
      ['log', 'BOARD_LOG_KEY'],
      ['node', 'BOARD_NODE_KEY'],
    ] as const) {
      const set = { [setting]: '1f'.repeat(32) };
      const args = ['keys', 'rotate', '--key', key, '--yes'];
      const refused = await run(args, set);
      expect(refused.code).to.equal(1);
      expect(refused.stderr).to.include(`set ${setting} to 64 other hex`);
    }
    const file = path.join(keysFolder(config.dataDir), 'log7');
    await writeFile(file, 'half a ke');
    const damaged = await run(['keys', 'rotate', '--key', 'node']);
    expect(damaged.code).to.equal(1);
    expect(damaged.stderr).to.include('put your copy of DATA_DIR/keys back');
    const started = await run(['start', '--json']);
    expect(started.code).to.equal(1);
    expect(started.stderr).to.include(file);
    await rm(file);
  });

  it('needs --yes where no terminal can ask', async () => {
    const rotate = ['keys', 'rotate', '--key', 'log'];
    const refused = await run(rotate);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('Add --yes');
    const lost = await run(rotate, { DATABASE_URL: '' });
    expect(lost.stderr).to.match(/no database in .* DATA_DIR or DATABASE_URL/);
    const { origin } = a.board.context.board;
    const shown = await run(['keys', 'show']);
    expect(shown.stdout).to.include(origin);
  });

  it('begins one generation, however often it is killed and run again', async () => {
    const before = formatVkey((await rotateKey(config, 'node')).keys.log.vkey);
    const first = await rotateLogKey(config);
    expect(first.finished).to.equal(false);
    expect(first.own.origin).to.equal(`${name}/log2`);
    expect(formatVkey(first.own.keys.log.vkey)).not.to.equal(before);
    // Killed after the commit, before it could say so.
    const again = await rotateLogKey(config);
    expect(again.finished).to.equal(true);
    expect(formatVkey(again.own.keys.log.vkey)).to.equal(
      formatVkey(first.own.keys.log.vkey),
    );
    await endRotation(config.dataDir);
  });

  it('begins one generation where it runs twice at once', async () => {
    const both = await Promise.allSettled([
      rotateLogKey(config),
      rotateLogKey(config),
    ]);
    const made = both.flatMap((one) =>
      one.status === 'fulfilled' ? [one.value.own] : [],
    );
    expect(made.length).to.be.above(0);
    for (const own of made) expect(own.origin).to.equal(`${name}/log3`);
    await endRotation(config.dataDir);
    await start();
    expect(a.board.context.board.origin).to.equal(`${name}/log3`);
  });

  it('begins one generation, killed at random moments and run again', async () => {
    await a.stop();
    const random = randomOf(chosenSeed());
    const args = ['keys', 'rotate', '--key', 'log', '--json', '--yes'];
    const { baseUrl } = config;
    let generation = 3;
    for (let run = 0; run < KILLS; run += 1) {
      const child = await launched(args, settings());
      const timer = setTimeout(() => child.kill('SIGKILL'), random() * 4000);
      const { stdout } = await ended(child);
      clearTimeout(timer);
      // What it has told is done; what it has not told goes on.
      if (stdout !== '') generation = generationOf(stdout);
      // As in a shell that lacks the settings of the node.
      const bare = { BASE_URL: '', HOST: '127.0.0.1', PORT: '8080' };
      const again = await command(args, settings(bare));
      expect(again.code, again.stderr).to.equal(0);
      expect(JSON.parse(again.stdout).peer_command).to.include(` ${baseUrl} `);
      const now = generationOf(again.stdout);
      expect(now).to.equal(stdout === '' ? generation + 1 : generation);
      generation = now;
      await endRotation(config.dataDir); // as a start does
    }
    await recordFaults({ test: 'A12 keys rotate', faults: KILLS });
    for (const finished of [undefined, true]) {
      const run = await command(NEW_GENERATION, settings());
      expect(run.code, run.stderr).to.equal(0);
      expect(generationOf(run.stdout)).to.equal(generation + 1);
      expect(JSON.parse(run.stdout).finished).to.equal(finished);
    }
    generation += 1;
    await start();
    expect(a.board.context.board.origin).to.equal(`${name}/log${generation}`);
  });

  it('is shown as signed by the confirmed key, also several rotations later', async () => {
    await b.board.background.peers.witness.round();
    const { origin } = a.board.context.board;
    // The note has room for 30 former keys; the first one was confirmed.
    const isSigned = (parseLogOrigin(origin)?.generation ?? 0) <= 31;
    expect(await seen()).to.include({
      origin: `${name}/log`,
      status: 'active',
      pending_identity_signed: isSigned ? true : null,
    });
    if (isSigned) await isSaid();
    const key = logVkeyOf(a);
    if (isSigned) await b.board.peerAdmin.confirm(name, key);
    else await b.board.peerAdmin.add(a.url, { confirm: key });
    expect((await seen()).origin).to.equal(a.board.context.board.origin);
    expect(peerTable([await seen()])).to.include(a.board.context.board.origin);
    await watchBoard(b.board.context, b.board.peerAdmin);
    expect(await openAlerts(b.board.context.reads)).to.deep.equal([]);
    await publish(a, { body: 'Under the newest key.' });
    await mirrored();
  });

  it('leads from a guest’s message to its entry, in each log', async () => {
    for (const { id } of await rows(a).find(Message, {
      select: { id: true },
    })) {
      const none = await a.get(`/api/messages/${id}/proof`).expect(404);
      const [address = ''] =
        /\/log\d*\/feed\S+(?=;)/.exec(none.body.detail) ?? [];
      const { body } = await a.get(address).expect(200);
      const { leaf } = body.entries[0];
      expect(leaf).to.match(new RegExp(`\nid ${id}\n`));
    }
  });

  async function isSaid(): Promise<void> {
    const peer = await seen();
    expect(peer.standstill).to.include({ reason: 'new_key', isAlert: true });
    expect(peer.standstill?.next).to.include(`'${logVkeyOf(a)}'`);
    const list = peerTable([peer]);
    expect(list).to.match(new RegExp(`^${name} +new_key `, 'm'));
    expect(list).to.include(`peer confirm ${name} '${logVkeyOf(a)}'`);
  }

  it('is needed to restore the log: the seed alone does not go back', async () => {
    const fresh = await scene.newDisk();
    const elsewhere = settings({
      DATABASE_URL: fresh.databaseUrl ?? '',
      DATA_DIR: fresh.dataDir,
    });
    await mirrored();
    await a.stop();
    try {
      const restore = ['log', 'restore', '--from', b.url];
      const refused = await run(restore, elsewhere);
      expect(refused.code).to.equal(1);
      expect(refused.stderr).to.include(
        `mirrors ${a.board.context.board.origin}, under`,
      );
      await cp(keysFolder(config.dataDir), keysFolder(fresh.dataDir), {
        recursive: true,
      });
      const restored = await run(restore, elsewhere);
      expect(restored.code, restored.stderr).to.equal(0);
      expect(restored.stdout).to.include('Writes are open');
    } finally {
      await start();
    }
  });

  it('comes with every backup, sealed, and with the list of peers', async () => {
    const { databaseUrl, dataDir: folder } = await scene.newDisk();
    const backup = path.join(folder, 'backup');
    const made = await run(['backup', backup]);
    expect(made.code, made.stderr).to.equal(0);
    const manifest = await readFile(path.join(backup, 'manifest.json'));
    const { keys } = JSON.parse(manifest.toString());
    expect(keys.map((key: { name: string }) => key.name)).to.include.members([
      'log2',
      'log3',
      'mirror',
      'node',
    ]);
    for (const { line } of rotatedKeys(config.dataDir)) {
      expect(manifest.includes(line.slice(0, 64))).to.equal(false);
    }
    const listed = await run(['peer', 'policy', 'import', backup]);
    expect(listed.stdout).to.include(`same: ${b.board.context.board.name}`);
    const DATA_DIR = path.join(folder, 'data');
    const elsewhere = { DATABASE_URL: databaseUrl ?? '', DATA_DIR };
    const dry = await run(['restore', backup, '--dry-run'], elsewhere);
    expect(dry.code, dry.stderr).to.equal(0);
    expect(rotatedKeys(DATA_DIR)).to.deep.equal([]);
    const restored = await run(['restore', backup], elsewhere);
    expect(restored.code, restored.stderr).to.equal(0);
    expect(rotatedKeys(DATA_DIR)).to.deep.equal(rotatedKeys(config.dataDir));
    const shown = await run(['keys', 'show'], elsewhere);
    expect(shown.stdout).to.include(logVkeyOf(a));
    await writeFile(path.join(backup, 'peers.json'), '{}');
    const changed = await run(['restore', backup, '--dry-run'], elsewhere);
    expect(changed.code).to.equal(1);
    expect(changed.stderr).to.include('peers.json is not as it was written');
  });
});
