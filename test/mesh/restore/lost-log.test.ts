import { readdir } from 'node:fs/promises';
import { newGeneration } from '../../../mesh/cli/log-new-generation.js';
import { planOwn, restoreOwn } from '../../../mesh/cli/log-restore.js';
import { peerCard } from '../../../mesh/cli/peer-text.js';
import { openIdentity } from '../../../protocol/identity.js';
import { formatVkey } from '../../../protocol/vkey.js';
import type { Config } from '../../../server/config.js';
import { LogState } from '../../../server/db/entities/log.js';
import { readSeed } from '../../../server/ledger/board-seed.js';
import { taken } from '../../protocol/support/vectors.js';
import { publishSigned, register } from '../../support/agent.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { logVkeyOf } from '../peers/node-on-port.js';
import { HostilePeer, sendJson } from '../support/hostile-peer.js';
import { mirroredBoard, refusal } from '../support/mirrored-board.js';
import { ScriptedLog } from '../support/scripted-log.js';

describe('a new generation of a log that is lost', () => {
  const scene = given(mirroredBoard({ keepsDisk: true }));
  const { a, b, newDisk, start, mirrored, confirm } = scene;
  let name: string;
  let last: number;

  before(async () => {
    ({ name } = scene);
    await publishSigned(a, await register(a), { body: 'Kept by a mirror.' });
    last = (await publish(a, { body: 'The last one.' })).message.id;
    await mirrored();
  });

  it('begins no second log where there was no first', async () => {
    const config = { ...(await newDisk()), boardSeed: null };
    const refused = await refusal(newGeneration(config, { newSeed: true }));
    expect(refused).to.include('Nothing is known of a log');
    expect(await readdir(config.dataDir)).to.deep.equal([]);
  });

  it('learns the last ID from a mirror and closes what it has not', async () => {
    await a.stop();
    const config = await newDisk();
    const report = await newGeneration(config, {
      urls: [b.url],
      clock: a.clock,
    });
    expect(report).to.include({
      origin: `${name}/log2`,
      firstMessageId: last + 1,
      closedSize: 0,
      followed: true,
    });
    await start(config);
    const { status, body } = await a.as().get('/log/feed?from=0');
    expect([status, body.error, body.next_origin]).to.deep.equal([
      410,
      'log_closed',
      `${name}/log2`,
    ]);
    const tile = await a.as().get('/log/tile/0/000.p/1');
    expect([tile.status, tile.body.error]).to.deep.equal([410, 'log_closed']);
    const next = await publish(a, { body: 'After the loss.' });
    expect(next.message.id).to.equal(last + 1);
    expect(next.log.origin).to.equal(`${name}/log2`);
  });

  it('is followed by its peers with one confirmation', async () => {
    await confirm();
    await mirrored();
    const at = `/api/mesh/boards/${encodeURIComponent(name)}/updates?since=0`;
    const { body } = await b.as().get(at);
    const bodies = body.data.map((item: { body: string }) => item.body);
    expect(bodies).to.deep.equal([
      'Kept by a mirror.',
      'The last one.',
      'After the loss.',
    ]);
  });

  it('leaves out a million IDs where no mirror tells the last one', async () => {
    await a.stop(); // and writes its head file
    const { env } = scene;
    const { dataDir } = a.board.context.config;
    env.BOARD_SEED = ''; // it is lost
    const config = await newDisk({ DATA_DIR: dataDir });
    const refused = await refusal(newGeneration(config));
    expect(refused).to.match(/board\.seed does not exist.*--new-seed/);
    expect(await readdir(dataDir)).not.to.include('board.seed');
    const report = await newGeneration(config, {
      clock: a.clock,
      newSeed: true,
    });
    expect(await readdir(dataDir)).to.include('board.seed');
    expect(await readdir(dataDir)).not.to.include('board.seed.unused');
    const again = await refusal(newGeneration(config, { newSeed: true }));
    expect(again).to.include('There is a seed');
    env.BOARD_SEED = (await readSeed(config)) ?? '';
    expect(report).to.include({
      origin: `${name}/log3`,
      firstMessageId: last + 1 + 1 + 1_000_000,
      followed: false,
    });
    await start(config);
    const next = await publish(a, { body: 'Under a new key.' });
    expect(next.message.id).to.equal(report.firstMessageId);
    const { body } = await a.as().get('/api/mesh');
    expect(taken(openIdentity(body.identity)).seq).to.be.above(1_000_000 - 1);
    for (const closed of ['/log', '/log2']) {
      const gone = await a.as().get(`${closed}/checkpoint`);
      expect([gone.status, gone.body.next_origin]).to.deep.equal([
        410,
        `${name}/log3`,
      ]);
    }
  });

  it('is added once more where no pinned key signs for it', async () => {
    await b.board.background.peers.witness.round();
    const [before] = await b.board.peerAdmin.list();
    expect(before?.pending_identity).to.equal(null);
    const shown = await b.board.peerAdmin.add(a.url);
    expect(shown.pending_identity).to.include(`${name}/log3`);
    expect(shown.pending_identity_signed).to.equal(false);
    expect(peerCard(shown)).to.include(
      'NOT signed by the key you confirmed: compare the new key with its operators',
    );
    expect(peerCard(shown)).to.include(`\n— ${name}/log3 `);
    const wrong = formatVkey(b.board.context.keys.log.vkey);
    const refused = await b.board.peerAdmin
      .confirm(name, wrong)
      .catch((error) => error);
    expect(refused.code).to.equal('invalid_input');
    await b.board.peerAdmin.add(a.url, { confirm: logVkeyOf(a) });
    await mirrored();
    const { body } = await b.as().get('/api/mesh');
    expect(body.peers).to.have.length(1);
    expect(body.peers[0].invalid_entries).to.equal(0);
    // The line that `new-generation` printed, run twice.
    const again = await b.board.peerAdmin.add(a.url, { confirm: logVkeyOf(a) });
    expect(again).to.include({ origin: `${name}/log3`, status: 'active' });
  });

  const whyNot = (config: Config) =>
    planOwn(config, [b.url]).then(String, (error) => error.message as string);

  it('is restored at the newest generation that mirrors hold', async () => {
    const size = await mirrored();
    await a.stop();
    const config = await newDisk();
    // The first try opens an empty first log, which gives way to the third.
    const nowhere = ['http://127.0.0.1:9'];
    const refused = await refusal(restoreOwn(config, nowhere));
    expect(refused).to.include('shows a mirror of');
    expect(refused).to.include('http://127.0.0.1:9 did not answer');
    const barred = { ...config, meshAllowHttp: false };
    expect(await whyNot(barred)).to.match(/was not asked .*MESH_ALLOW_HTTP/);
    const inside = { ...config, meshAllowPrivate: false };
    expect(await whyNot(inside)).to.match(/was not asked .*MESH_ALLOW_PRIVATE/);
    const misnamed = { ...config, boardName: 'other.example' };
    expect(await whyNot(misnamed)).to.include(
      `${b.url} mirrors this key as ${name}, so set BOARD_NAME to that`,
    );
    const other = await HostilePeer.start(new ScriptedLog('o.example', 1));
    for (const [status, why] of [
      [404, 'answered HTTP 404'],
      [200, 'answered with no mesh document'],
    ] as const) {
      other.mode = ({ path, res }) => {
        if (path !== '/api/mesh') return false;
        sendJson(res, {}, status);
        return true;
      };
      const refused = await refusal(planOwn(config, [other.url]));
      expect(refused).to.include(`${other.url} ${why}`);
    }
    await other.stop();
    const report = await restoreOwn(config, [b.url]);
    expect(report.size).to.be.at.least(size);
    await start(config);
    const { body: mesh } = await a.as().get('/api/mesh');
    expect(mesh.log.origin).to.equal(`${name}/log3`);
    const { body: newest } = await a.as().get('/api/updates?since=0');
    expect(newest.data.at(-1).body).to.equal('Under a new key.');
    const { id } = newest.data.at(-1);
    const next = await publish(a, { body: 'After the second loss.' });
    expect(next.message.id).to.equal(id + 1);
    expect(next.log.origin).to.equal(`${name}/log3`);
    expect((await a.as().get('/log/checkpoint')).status).to.equal(410);
    await scene.mirroredAgain();
    const { body } = await b.as().get('/api/mesh');
    expect([body.evidence_count, body.peers[0].invalid_entries]).to.deep.equal([
      0, 0,
    ]);
  });

  it('goes with all its generations when it is blocked', async () => {
    const count = () => rows(b).countBy(LogState, { board: name });
    expect(await count()).to.equal(3);
    await b.board.peerAdmin.block(name);
    expect(await count()).to.equal(0);
  });
});
