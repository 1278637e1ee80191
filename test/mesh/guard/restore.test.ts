import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { restoreOwn } from '../../../mesh/cli/log-restore.js';
import type { RestoreReport } from '../../../mesh/restore/restore-log.js';
import { verifyProof } from '../../../protocol/proof.js';
import { parseConfig } from '../../../server/config.js';
import { taken } from '../../server/agents/proofs/pinned.js';
import { publishSigned, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { createDatabase } from '../../support/cluster.js';
import { decideTo } from '../../support/decide.js';
import { freePort } from '../../support/free-port.js';
import { filled, preview, publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { befriend, nodeOnPort } from '../peers/node-on-port.js';
import { withoutAnchors } from '../support/without-anchors.js';

const SEED = 'ab'.repeat(32);

describe('a board that lost everything (F11)', () => {
  let env: Record<string, string>;
  let a: TestBoard;
  let b: TestBoard;
  let c: TestBoard;
  let again: TestBoard;
  let report: RestoreReport;
  let proofs: Map<number, object>;
  let tiles: Buffer;
  let size: number;
  let retry: Record<string, unknown>;
  let receipt: { message: { id: number } };
  const ids = { topic: 0, signed: 0, removed: 0, back: 0, hidden: 0, guest: 0 };

  before(async () => {
    const port = await freePort();
    env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
    env.BOARD_SEED = SEED;
    // Its clock stands still while hundreds of entries are cosigned.
    const limits = { mesh_cosigns_per_network_minute: 1_000_000 };
    a = await nodeOnPort({ env, limits });
    b = await nodeOnPort();
    c = await nodeOnPort();
    await withoutAnchors(a);
    for (const mirror of [b, c]) {
      await befriend(a, mirror);
      await befriend(mirror, a);
    }
    await b.board.peerAdmin.trust(a.url, { content: 'signed' });
    await furnish();
    size = await sizeOf(a);
    for (const mirror of [b, c]) {
      await until(
        'a full mirror',
        async () => (await mirrored(mirror)) === size,
      );
    }
    await until('cosigned', async () => {
      const { body } = await a.as().get('/api/mesh');
      return body.peers.every(
        (peer: { acked_size: number }) => peer.acked_size === size,
      );
    });
    tiles = await bundle(a.url);
    proofs = new Map();
    for (const id of [ids.signed, ids.removed, ids.back]) {
      const { body } = await a.as().get(`/api/messages/${id}/proof`);
      proofs.set(id, body);
    }
    await a.stop(); // with its database and its data directory
  });

  after(async () => {
    for (const test of [b, c, again]) await test?.stop();
  });

  async function furnish(): Promise<void> {
    const agent = await register(a);
    const poll = { question: 'Which?', options: ['a', 'b'] };
    const topic = await publish(a, {
      title: 'A topic',
      body: 'See https://x.example',
      poll,
    });
    ids.topic = topic.message.id;
    const reply_to = ids.topic;
    const kept = await preview(a, {
      reply_to,
      body: 'By a guest, mirrored by C.',
    });
    retry = filled(kept);
    receipt = (await a.as().post('/write/publish').send(retry)).body;
    ids.guest = receipt.message.id;
    const one = await publishSigned(a, agent, {
      reply_to,
      body: 'Signed.',
      vote: 1,
    });
    ids.signed = one.message.id;
    const two = await publishSigned(a, agent, { reply_to, body: 'Removed.' });
    ids.removed = two.message.id;
    const three = await publishSigned(a, agent, {
      reply_to,
      body: 'Comes back.',
    });
    ids.back = three.message.id;
    await decideTo.remove(a, ids.removed);
    await decideTo.remove(a, ids.back);
    await decideTo.reinstate(a, ids.back);
    const hidden = await publish(a, { title: 'Hidden', body: 'By decision.' });
    ids.hidden = hidden.message.id;
    await decideTo.hide(a, ids.hidden);
    for (let more = 0; more < 300; more += 1) {
      await a.board.context.ledger.append(async (turn) => {
        turn.append({
          type: 'evidence',
          at: turn.at,
          origin: 'x.example/log',
          kind: 'equivocation',
          evidence: Buffer.alloc(32, more),
        });
        return () => undefined;
      });
    }
  }

  async function sizeOf(test: TestBoard): Promise<number> {
    const { text } = await test.as().get('/log/checkpoint');
    return Number(text.split('\n')[1]);
  }

  async function mirrored(test: TestBoard): Promise<number> {
    const { body } = await test.as().get('/api/mesh');
    return body.peers[0].mirrored_size;
  }

  async function bundle(url: string, prefix = '/log'): Promise<Buffer> {
    const answer = await fetch(`${url}${prefix}/tile/entries/000`);
    return Buffer.from(await answer.arrayBuffer());
  }

  it('is read and verified from its mirrors while it is away', async () => {
    const { origin } = a.board.context.board;
    const hash = createHash('sha256').update(origin).digest('hex');
    for (const mirror of [b, c]) {
      const prefix = `/mirror/${hash}`;
      expect(await bundle(mirror.url, prefix)).to.deep.equal(tiles);
      const { text } = await mirror.as().get(`${prefix}/checkpoint`);
      expect(text.split('\n')[1]).to.equal(String(size));
      expect(text).to.include(`${mirror.board.context.board.name}/mirror `);
      const name = encodeURIComponent(a.board.context.board.name);
      const { body } = await mirror
        .as()
        .get(`/api/mesh/boards/${name}/messages/${ids.signed}/proof`);
      const proven = taken(verifyProof(body, a.board.context.keys.log.vkey));
      expect(proven.contentVerified).to.equal(true);
    }
  });

  it('gets everything back that a mirror kept', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'restore-'));
    const { url: databaseUrl, drop } = await createDatabase();
    const config = parseConfig({
      ...env,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      MESH_ALLOW_HTTP: 'on',
      MESH_ALLOW_PRIVATE: 'on',
    });
    const killed = await restoreOwn(config, [b.url, c.url], () => {
      throw new Error('killed after a page');
    }).catch((error) => error.message);
    expect(killed).to.equal('killed after a page');
    env.DATA_DIR = dataDir;
    const half = await nodeOnPort({ env, databaseUrl, clock: a.clock });
    const refused = await preview(half, {});
    expect([refused.status, refused.body.error]).to.deep.equal([
      503,
      'log_guard',
    ]);
    await half.stop();
    report = await restoreOwn(config, [b.url, c.url]);
    expect(report.pulled).to.equal(size - 256);
    expect(report.size).to.equal(size);
    expect(report.lost).to.deep.equal([]);
    again = await nodeOnPort({ env, databaseUrl, clock: a.clock });
    const stop = again.stop;
    again.stop = async () => {
      await stop();
      await drop();
      await rm(dataDir, { recursive: true, force: true });
    };
    expect(await bundle(again.url)).to.deep.equal(tiles);
    await checkLedger(again);
  });

  it('answers as before', async () => {
    const { body } = await again.as().get(`/api/thread/${ids.topic}?full=1`);
    expect(body.data.map(({ id }: { id: number }) => id)).to.deep.equal([
      ids.topic,
      ids.guest,
      ids.signed,
      ids.removed,
      ids.back,
    ]);
    const [topic, guest, signed, removed, back] = body.data;
    expect(guest.body).to.equal('By a guest, mirrored by C.');
    expect(signed.body).to.equal('Signed.');
    expect(removed.removed).to.equal(true);
    expect(back.body).to.equal('Comes back.');
    expect(topic.score).to.equal(1);
    const { body: polls } = await again.as().get('/api/polls');
    expect(polls.data[0].question).to.equal('Which?');
    expect(polls.data[0].root_id).to.equal(topic.id);
    const { body: hidden } = await again
      .as()
      .get(`/api/moderation/${ids.hidden}`);
    expect(hidden.state).to.equal('hidden_by_decision');
    const { body: search } = await again.as().get('/api/search?q=Comes%20back');
    expect(search.data[0].id).to.equal(ids.back);
    for (const [id, before] of proofs) {
      const { body: after } = await again.as().get(`/api/messages/${id}/proof`);
      const same = ({
        leaf,
        index,
        keys,
        content,
        state,
      }: Record<string, unknown>) => ({ leaf, index, keys, content, state });
      expect(same(after)).to.deep.equal(
        same(before as Record<string, unknown>),
      );
      taken(verifyProof(after, again.board.context.keys.log.vkey));
    }
  });

  it('knows the requests it accepted, and no other content for them', async () => {
    const request = String(receipt.message.id);
    expect(request).to.equal(String(ids.guest));
    const { body } = await again.as().get(`/api/messages/${ids.guest}?full=1`);
    const same = {
      body: body.body,
      reply_to: ids.topic,
      request_id: body.request_id,
    };
    const repeated = await preview(again, same);
    const answer = await again
      .as()
      .post('/write/publish')
      .send(filled(repeated));
    expect([answer.status, answer.body.status]).to.deep.equal([
      200,
      'already_published',
    ]);
    expect(answer.body.message.id).to.equal(ids.guest);
    const other = await preview(again, { ...same, body: 'Another text.' });
    const refused = await again.as().post('/write/publish').send(filled(other));
    expect(refused.body.error).to.equal('request_id_conflict');
  });

  it('goes on with the next id, and its mirrors with it', async () => {
    const next = await publish(again, { reply_to: ids.topic, body: 'After.' });
    expect(next.message.id).to.equal(ids.hidden + 1);
    expect(next.log.index).to.equal(size);
    const { origin } = a.board.context.board;
    for (const mirror of [b, c]) {
      await mirror
        .as()
        .post('/api/mesh/hint')
        .send({ origin, size: size + 1 });
      await until(
        'mirrored again',
        async () => (await mirrored(mirror)) === size + 1,
      );
      const { body } = await mirror.as().get('/api/mesh');
      expect(body.evidence_count).to.equal(0);
    }
  });
});
