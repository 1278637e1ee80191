import { createHash } from 'node:crypto';
import { newGeneration } from '../../../mesh/cli/log-new-generation.js';
import { restoreOwn } from '../../../mesh/cli/log-restore.js';
import { openIdentity } from '../../../protocol/identity.js';
import { verifyProof } from '../../../protocol/proof.js';
import { formatVkey, parseVkey } from '../../../protocol/vkey.js';
import { parseConfig } from '../../../server/config.js';
import { deriveSeed } from '../../../server/ledger/board-keys.js';
import { taken } from '../../protocol/support/vectors.js';
import { type Agent, publishSigned, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { decideTo } from '../../support/decide.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { mirroredBoard, refusal } from '../support/mirrored-board.js';

describe('a new generation of a log whose rows are still here', () => {
  const scene = given(mirroredBoard({ keepsDisk: true }));
  const { a, b, start, mirrored } = scene;
  let agent: Agent;
  let oldVkey: string;
  let last: number;
  let tiles: Buffer;
  const ids = { topic: 0, signed: 0, gone: 0, erased: 0 };

  before(async () => {
    agent = await register(a);
    ids.topic = (
      await publish(a, { title: 'Old', body: 'Old words.' })
    ).message.id;
    const reply_to = ids.topic;
    const signed = await publishSigned(a, agent, { reply_to, body: 'Signed.' });
    ids.signed = signed.message.id;
    const gone = await publishSigned(a, agent, { reply_to, body: 'Goes.' });
    ids.gone = gone.message.id;
    await decideTo.remove(a, ids.gone);
    const late = await publishSigned(a, agent, { reply_to, body: 'Late.' });
    ids.erased = late.message.id;
    last = ids.erased;
    const size = await mirrored();
    await until('its cosignature', async () => {
      const { body } = await a.as().get('/api/mesh');
      return body.peers[0].acked_size >= size;
    });
    oldVkey = formatVkey(a.board.context.keys.log.vkey);
    tiles = await bundle(a.url, '/log');
  });

  async function bundle(url: string, prefix: string): Promise<Buffer> {
    const answer = await fetch(`${url}${prefix}/tile/entries/000.p/4`);
    expect(answer.status).to.equal(200);
    return Buffer.from(await answer.arrayBuffer());
  }

  const boardAt = ({ board }: TestBoard) => board.context.board;
  const readAtB = (what: string) =>
    b.get(`/api/mesh/boards/${encodeURIComponent(boardAt(a).name)}${what}`);

  it('is refused beside a running node', async () => {
    const { config } = a.board.context;
    const refused = await refusal(newGeneration(config));
    expect(refused).to.include('A node runs on this database');
  });

  it('closes the old log and goes on as /log2', async () => {
    const { config } = a.board.context;
    const old = boardAt(a).origin;
    await a.stop();
    const report = await newGeneration(config, { clock: a.clock });
    expect(report.origin).to.equal(`${boardAt(a).name}/log2`);
    expect(report.past).to.include({ origin: old, witnessed: true });
    expect(report.firstMessageId).to.equal(last + 1);
    expect(report.agents).to.equal(1);
    await start();
    const { body: mesh } = await a.as().get('/api/mesh');
    expect(mesh.log.origin).to.equal(report.origin);
    expect(mesh.log.prefix).to.equal(`${a.url}/log2`);
    expect(mesh.endpoints.feed).to.equal('/log2/feed');
    const identity = taken(openIdentity(mesh.identity));
    expect(identity.origin).to.equal(report.origin);
    expect(identity.seq).to.equal(1);
  });

  it('keeps the closed log readable, byte for byte', async () => {
    expect(await bundle(a.url, '/log')).to.deep.equal(tiles);
    const { text } = await a.as().get('/log/checkpoint');
    expect(text.split('\n')[0]).to.equal(`${boardAt(a).name}/log`);
    const feed = await a.as().get('/log/feed?from=0&content=all');
    const bodies = feed.body.entries.flatMap(
      ({ content }: { content?: { body: string } }) => content?.body ?? [],
    );
    expect(bodies).to.deep.equal(['Old words.', 'Signed.', 'Late.']);
    expect((await a.as().get('/log3/checkpoint')).status).to.equal(404);
    expect((await a.as().get('/log02/checkpoint')).status).to.equal(404);
    expect((await a.as().post('/log/checkpoint')).status).to.equal(405);
  });

  it('still proves what was logged before, by the old key', async () => {
    const { body } = await a.as().get(`/api/messages/${ids.signed}/proof`);
    expect(body.error).to.equal(undefined, JSON.stringify(body));
    expect(body.log_vkey).to.equal(oldVkey);
    expect(body.cosigners).to.have.length(1);
    const proven = taken(verifyProof(body, taken(parseVkey(oldVkey))));
    expect(proven.contentVerified).to.equal(true);
  });

  it('takes the next id, replies to old threads, and old keys', async () => {
    const next = await publishSigned(a, agent, {
      reply_to: ids.topic,
      body: 'In the new log.',
      vote: 1,
    });
    expect(next.message.id).to.equal(last + 1);
    expect(next.log.origin).to.equal(`${boardAt(a).name}/log2`);
    const { body } = await a.as().get(`/api/thread/${ids.topic}`);
    expect(body.data.at(-1).body).to.equal('In the new log.');
    expect(body.data[0].score).to.equal(1);
    await decideTo.remove(a, ids.erased);
    const gone = await a.as().get('/t/999').expect(404);
    expect(gone.text).to.include('former log');
    const first = await b.as().get('/t/999').expect(404);
    expect(first.text).not.to.include('former log');
  });

  it('waits at its peers for one confirmation, signed by the old key', async () => {
    await b.board.background.peers.witness.round();
    const [shown] = await b.board.peerAdmin.list();
    expect(shown?.pending_identity).to.include(`${boardAt(a).name}/log2`);
    await scene.confirm();
    await mirrored();
    const { body } = await b.as().get('/api/mesh');
    expect(body.peers).to.have.length(1);
    expect(body.peers[0].invalid_entries).to.equal(0);
    expect(body.evidence_count).to.equal(0);
  });

  it('is one board at its mirrors, whose removals reach old messages', async () => {
    const { body } = await readAtB(`/thread/${ids.topic}`);
    const shown = body.data.map(
      (item: { id: number; body?: string; removed?: boolean }) =>
        item.removed ? `${item.id} removed` : item.body,
    );
    expect(shown).to.deep.equal([
      'Old words.',
      'Signed.',
      `${ids.gone} removed`,
      `${ids.erased} removed`,
      'In the new log.',
    ]);
    const origins = body.data.map(
      ({ origin }: { origin: { origin: string } }) => origin.origin,
    );
    expect(origins[0]).to.equal(`${boardAt(a).name}/log`);
    expect(origins[4]).to.equal(`${boardAt(a).name}/log2`);
    const { body: list } = await b.as().get('/api/mesh/boards');
    expect(list.count).to.equal(1);
    expect(list.data[0].messages).to.equal(5);
    const { body: found } = await b.as().get('/api/mesh/search?q=Old%20words');
    expect(found.data[0].id).to.equal(ids.topic);
    const proof = await readAtB(`/messages/${ids.signed}/proof`);
    expect(proof.body.log_vkey).to.equal(oldVkey);
    const hash = createHash('sha256')
      .update(`${boardAt(a).name}/log`)
      .digest('hex');
    expect(await bundle(b.url, `/mirror/${hash}`)).to.deep.equal(tiles);
  });

  it('cosigns the new log, and its proofs carry it', async () => {
    const { body: thread } = await a.as().get(`/api/thread/${ids.topic}`);
    const { id } = thread.data.at(-1);
    await until('a cosignature', async () => {
      const { body } = await a.as().get(`/api/messages/${id}/proof`);
      return body.cosigners.length === 1;
    });
  });

  it('is restored from its mirrors beside its head file', async () => {
    const kept = a.board.context.config;
    const config = await scene.newDisk({ DATA_DIR: kept.dataDir });
    const size = await mirrored();
    const second = await bundle(a.url, '/log2');
    await a.stop();
    const report = await restoreOwn(config, [b.url]);
    expect(report.pulled).to.be.at.least(size);
    await start(config);
    expect(await bundle(a.url, '/log2')).to.deep.equal(second);
    const gone = await a.as().get('/log/checkpoint');
    expect([gone.status, gone.body.error]).to.deep.equal([410, 'log_closed']);
    const { body } = await a.as().get(`/api/messages/${last + 1}`);
    expect(body.body).to.equal('In the new log.');
    const next = await publish(a, { body: 'After the restore.' });
    expect(next.message.id).to.equal(last + 2);
    await a.stop();
    await start(kept);
  });

  it('is followed by a former key that only a file still holds', async () => {
    const { env } = scene;
    const lost = Buffer.from(env.BOARD_SEED ?? '', 'hex');
    const formerKey = deriveSeed(lost, 'log').toString('hex');
    await a.stop();
    env.BOARD_SEED = 'f6'.repeat(32);
    expect(await refusal(start())).to.include('log new-generation');
    const config = parseConfig(scene.settings());
    const report = await newGeneration(config, { formerKey, clock: a.clock });
    expect(report.origin.endsWith('/log3')).to.equal(true);
    expect(report.followed).to.equal(true);
    await start();
    await b.board.background.peers.witness.round();
    const [shown] = await b.board.peerAdmin.list();
    expect(shown?.pending_identity).to.include('/log3');
    for (const prefix of ['/log', '/log2', '/log3']) {
      const { status } = await a.as().get(`${prefix}/checkpoint`);
      expect(status, prefix).to.equal(200);
    }
    const { body } = await a.as().get(`/api/thread/${ids.topic}`);
    expect(body.data).to.have.length(5);
    const { body: again } = await a.get(`/api/messages/${ids.signed}/proof`);
    expect(again.log_vkey).to.equal(oldVkey);
  });
});
